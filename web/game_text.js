// SPDX-License-Identifier: MIT
// Games as text: PGN, KIF, KI2, CSA, and a position with moves. They are read up to the first fault, games of shogi by tsshogi; which
// moves are legal the server says. A move is {text, notes, variations: lists of moves that could have been played instead}. Notes become
// part of its node: comment, given (what programs wrote: clocks, scores), nags, before (a comment on what begins), ms, bookmark, and
// end {type, name, notes} (how the game ended there).
import { RecordFormatType, ShogiPosition, ShogiRecord, detectRecordFormat, exportCSA, exportKIF, importCSA, importKI2, importKIF } from "./board_library.js";

// The glyphs of PGN; of several signs the first one is shown.
const SIGNS = { "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "\u25a1": 7, "=": 10, "\u221e": 13, "\u2a72": 14, "+/=": 14, "+=": 14, "\u2a71": 15, "=/+": 15, "=+": 15,
                "\u00b1": 16, "+/-": 16, "\u2213": 17, "-/+": 17, "+\u2212": 18, "+-": 18, "\u2212+": 19, "-+": 19, "N": 146, "D": 220 };
const ENDS = { resign: "\u6295\u4e86", interrupt: "\u4e2d\u65ad", maxMoves: "\u6700\u5927\u624b\u6570", impass: "\u6301\u5c06\u68cb", draw: "\u5f15\u304d\u5206\u3051", repetitionDraw: "\u5343\u65e5\u624b", mate: "\u8a70\u307f", noMate: "\u4e0d\u8a70",
               timeout: "\u5207\u308c\u8ca0\u3051", foulWin: "\u53cd\u5247\u52dd\u3061", foulLose: "\u53cd\u5247\u8ca0\u3051", enteringOfKing: "\u5165\u7389\u52dd\u3061", winByDefault: "\u4e0d\u6226\u52dd", loseByDefault: "\u4e0d\u6226\u6557", try: "\u30c8\u30e9\u30a4" };
const GIVEN = /\[%[^\]]*\]|^(?:\* ?-?\d|[*#]\u8a55\u4fa1\u5024).*$/gm; // what programs write in comments: of PGN, of floodgate and ShogiHome
const SCORE = /\[%eval [^\]]*\]|^[*#].*$/gm;
const HANDICAPS = { "\u4e09\u679a\u843d": "lnsgkgsn1/9", "\u4e94\u679a\u843d": "2sgkgsn1/9", "\u5de6\u4e94\u679a\u843d": "1nsgkgs2/9", "\u5de6\u4e03\u679a\u843d": "2sgkg3/9", "\u53f3\u4e03\u679a\u843d": "3gkgs2/9" }; // that tsshogi 2.2.0 does not know, as the ends below
const TYPES = { "\u6642\u9593\u5207\u308c": "timeout", "\u6700\u5927\u624b\u6570": "maxMoves", "\u5165\u7389\u5ba3\u8a00": "enteringOfKing", "\u5165\u7389\u5ba3\u8a00\u52dd\u3061": "enteringOfKing", "\u5ba3\u8a00\u52dd\u3061": "enteringOfKing" };
const COLUMNS = 80;

// Of a node: "!", or "\u2a72"; how the game ended there.
export const signs = ({ nags = [] }) => nags.map((nag) => `${nag > 6 ? "\u00a0" : ""}${Object.keys(SIGNS).find((sign) => SIGNS[sign] === nag) ?? `$${nag}`}`).join("");
export const endOf = ({ end, children }) => !end || children.length ? "" : ENDS[end.type] ?? end.name;

// Who played, when, and where.
export function titleOf({ White, Black, Event, Date, standard = {} }) {
    const { blackName = standard.shitateName, whiteName = standard.uwateName, title = standard.tournament ?? standard.opusName, date = standard.startDatetime } = standard;
    const known = (text) => text && !/^[?.]+$/.test(text), players = [White ?? blackName, Black ?? whiteName].map((name) => known(name) ? name : "?");
    return [players.some(known) && players.join(" \u2013 "), Event ?? title, Date ?? date].filter(known).join(", ");
}

// A comment, of words and of what programs write.
function note(notes, text) {
    const join = (before, more) => [before, more].filter(Boolean).join("\n");
    notes.given = join(notes.given, text.match(GIVEN)?.join("\n"));
    notes.comment = join(notes.comment, text.replace(GIVEN, "").trim());
    return notes;
}

// What is written of a node as its comment: its own score takes the place of another's.
function wordsOf(node, remark) {
    return [remark(node), node.evaluation ? node.given?.replace(SCORE, "").trim() : node.given, node.comment].filter(Boolean).join("\n");
}

// The texts of the games of a text, each with a name.
export function gamesOf(text, isShogi) {
    const parts = isShogi ? text.split(/^\/[ \r]*$|\n(?=#KIF|(?<!#KIF.*\n)# (?:KIF|-+ *Kifu))|(?<=^\u307e\u3067.*)\n\s*(?=(?:\u624b\u5408\u5272|\u958b\u59cb\u65e5\u6642|\u5bfe\u5c40\u65e5|\u68cb\u6226|[\u5148\u4e0b]\u624b)\uff1a)/m) : text.split(/\n(?=\[Event )|\n[ \t]*\n(?=\[\w+ ")/);
    const tag = (part, name) => part.match(isShogi ? { White: /^(?:N\+|[\u5148\u4e0b]\u624b\uff1a)(.+)/m, Black: /^(?:N-|[\u5f8c\u4e0a]\u624b\uff1a)(.+)/m }[name] : new RegExp(`^\\[${name} "(.*)"`, "m"))?.[1] || "?";
    return parts.filter((part) => part.trim()).map((part, i) => ({ text: part.trim(), name: `${i + 1}. ${tag(part, "White")} - ${tag(part, "Black")}` }));
}

// {fen, moves, tags, notes, fault}; fault: one line, or "".
export function readGame(text, isShogi) {
    const position = text.match(/^(?:position\s+)?(startpos|(?:s?fen\s+)?(?:[^\s/]+\/){7,8}[^\s/]+(?:(?!\s+moves)\s+\S+)*)(?:\s+moves(?:\s+([\s\S]*))?)?$/);
    if (position) {
        const moves = (position[2] ?? "").split(/\s+/).filter(Boolean).map((move) => ({ text: move, notes: {}, variations: [] }));
        return { fen: position[1] === "startpos" ? "" : position[1].replace(/^s?fen\s+/, ""), moves, tags: {}, fault: "" };
    }
    const game = isShogi ? readRecord(text) : readPgn(text);
    if (game.moves.length || game.fen || game.fault) return game;
    return { ...game, fault: `'${text.slice(0, 40)}' is no game: ${isShogi ? "KIF, KI2, CSA, SFEN" : "PGN, FEN"} or startpos is read` };
}

function faultAt(number, word) {
    return `move ${number}: "${word.trim().slice(0, 40)}": this is not a move`;
}

/* ---- PGN ---- */

const TAGS = /^\s*(?:\[\s*\w+\s+"(?:[^"\\]|\\.)*"\s*\]\s*)*/;
const TOKENS = /\{([^}]*)\}|;(.*)|\$(\d+)|([()])|(1-0|0-1|1\/2-1\/2|\*)(?=[\s)]|$)|(?:e\.p\.|\d+[.\u2026]*|\.+|\u2026)(?=[\s(){};$]|$)|\d+(?:\.+|\u2026)|([^\s(){};$]+)|\{/g;

function readPgn(text) {
    const head = text.match(TAGS)[0], tags = {}, main = [], outer = [], notes = {};
    for (const [, name, value] of head.matchAll(/\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"/g)) tags[name] = value.replace(/\\(.)/g, "$1");
    const game = (fault) => ({ fen: tags.FEN ?? "", moves: main, tags, notes, fault });
    let list = main, opening = {}, end = "";
    for (const [word, comment, rest, nag, bracket, result, other] of text.slice(head.length).replace(/^%.*$/gm, "").matchAll(TOKENS)) {
        const last = list.at(-1), where = outer.length ? `in a variation of move ${main.length}` : `move ${main.length + 1}`;
        if (word === "{") return game(`${where}: a comment does not end; } is missing`);
        if (end && (bracket || other)) return game(`what stands behind ${end} is not read`);
        if (bracket === "(" && !last || bracket === ")" && !outer.length) return game(`${where}: '${bracket}' where no variation ${bracket === "(" ? "can begin" : "is open"}`);
        if (result && !outer.length) {
            end = result;
            if (result !== "*") (last?.notes ?? notes).end = { type: "any", name: tags.Result = result };
        } else if (bracket === "(") {
            outer.push(list);
            last.variations.push(list = []);
            opening = {};
        } else if (bracket) {
            if (!list.length) note(outer.at(-1).at(-1).notes, opening.before ?? "");
            list = outer.pop();
        } else if (nag || other in SIGNS) last?.notes.nags.push(Number(nag ?? SIGNS[other]));
        else if (other) {
            const [, plain, sign] = other.slice(0, COLUMNS).replace(/[\u2654-\u265f]/g, (piece) => "KQRBNP"[(piece.charCodeAt() - 0x2654) % 6]).match(/^(.+?)([!?]*)$/);
            list.push({ text: plain, notes: { nags: sign in SIGNS ? [SIGNS[sign]] : [], ...last ? {} : opening }, variations: [] });
        } else {
            const words = (comment ?? rest ?? "").replace(/\s+/g, " ").trim();
            if (last || !outer.length) note(last?.notes ?? notes, words);
            else opening.before = [opening.before, words].filter(Boolean).join(" ");
        }
    }
    return game(outer.length ? `a variation of move ${main.length} does not end; ) is missing` : "");
}

const inBraces = (text) => text ? ["{", ...text.replace(/\{/g, "(").replace(/\}/g, ")").match(/\[%[^\]]*\]|\S+/g), "}"] : [];

// remark(node): what is written of it beside its comment. As the moves of a list stand in it.
function textOfPgn(parent, remark, isFirst = true) {
    const words = [];
    for (let at = parent, begins = isFirst; at.children.length; at = at.children[0]) {
        const write = (node, starts) => {
            const [, side, , , , number] = node.parent.fen.split(" "), text = wordsOf(node, remark);
            words.push(...inBraces(node.before));
            if (side === "w" || starts) words.push(`${number}.${side === "w" ? "" : ".."}`);
            words.push(node.san, ...(node.nags ?? []).map((nag) => `$${nag}`), ...inBraces(text));
            return Boolean(text);
        };
        begins = write(at.children[0], begins);
        for (const other of at.children.slice(1)) {
            const from = words.length;
            const remarked = write(other, true);
            words.push(...textOfPgn(other, remark, remarked));
            words[from] = `(${words[from]}`;
            words[words.length - 1] += ")";
            begins = true;
        }
    }
    return words;
}

function writePgn(tree, remark) {
    const { fen } = tree.root, isStart = fen.startsWith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    const tags = { Event: "?", Site: "?", Date: "????.??.??", Round: "?", White: "?", Black: "?", Result: "*", ...tree.tags, ...isStart ? {} : { SetUp: "1", FEN: fen } };
    let column = 0, text = "";
    for (const word of [...inBraces(wordsOf(tree.root, remark)), ...textOfPgn(tree.root, remark), tags.Result]) {
        const fits = column + 1 + word.length < COLUMNS;
        text += (column ? fits ? " " : "\n" : "") + word;
        column = column && fits ? column + 1 + word.length : word.length;
    }
    return `${Object.entries(tags).map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]`).join("\n")}\n\n${text}\n`;
}

/* ---- KIF, KI2, CSA ---- */

// KIF as tsshogi reads it: half-width numbers and blanks, one blank behind \u540c, none before the square of origin, handicaps as boards.
function plainKif(text) {
    const blank = "[ \\t\u3000]", number = new RegExp(`^${blank}*[0-9\uff10-\uff19]+${blank}+(?![0-9\uff10-\uff19]${blank})`), board = (ranks) =>
        exportKIF(new ShogiRecord(ShogiPosition.newBySFEN(`${ranks}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1`)), {}).split("\u624b\u6570")[0];
    return text.replace(/^.*$/gm, (line) => number.test(line) ? line.replace(number, (of) => of.normalize("NFKC")).replace(/\u540c[ \t\u3000]*/, "\u540c\u3000").replace(/[ \t\u3000]+(?=\(\d\d\))/, "") : line)
        .replace(/^\u624b\u5408\u5272\uff1a[ \t\u3000]*(.*?)\u3061?[ \t\u3000\r]*$/m, (all, name) => HANDICAPS[name] ? board(HANDICAPS[name]) : all);
}

function readRecord(original) {
    const format = detectRecordFormat(original), text = format === RecordFormatType.KIF ? plainKif(original) : original;
    const handicap = format === RecordFormatType.KIF && text.match(/^\u624b\u5408\u5272\uff1a[ \t\u3000]*(.*?)[ \t\u3000\r]*$/m)?.[1];
    if (handicap && !/^(\u5e73\u624b|[\u5de6\u53f3]?\u9999\u843d\u3061?|\u89d2\u843d\u3061?|\u98db\u8eca?\u843d\u3061?|\u98db\u9999\u843d\u3061?|[\u4e8c\u56db\u516d\u516b\u5341]\u679a\u843d\u3061?)$/.test(handicap) && !/^\|/m.test(text)) return { fen: "", moves: [], tags: {}, fault: `"${handicap.slice(0, 40)}": no such handicap, and no board of one` };
    const read = { [RecordFormatType.KIF]: importKIF, [RecordFormatType.KI2]: importKI2, [RecordFormatType.CSA]: importCSA }[format];
    if (!read) return { fen: "", moves: [], tags: {}, fault: "" };
    let record = read(text), word = "";
    if (record instanceof Error) {
        word = record.data ?? text;
        record = read(beforeFault(text, word, read));
        if (record instanceof Error) return { fen: "", moves: [], tags: {}, fault: `'${word.trim().slice(0, 40)}' is no line of ${RecordFormatType[format]}` };
    }
    const bad = word ? [faultAt(movesOfRecord(record.first, []).length + 1, word)] : [], moves = movesOfRecord(record.first, bad), { metadata } = record;
    const isStart = record.initialPosition.sfen === new ShogiPosition().sfen, valuesOf = (keys, value) => Object.fromEntries([...keys].map((key) => [key, value(key)]));
    const standard = valuesOf(metadata.standardMetadataKeys, (key) => metadata.getStandardMetadata(key)), custom = valuesOf(metadata.customMetadataKeys, (key) => metadata.getCustomMetadata(key));
    return { fen: isStart ? "" : record.initialPosition.sfen, moves, notes: notesOf(record.first), tags: { standard, custom }, fault: bad.length ? `${bad[0]} of ${RecordFormatType[format]}` : "" };
}

// The lines before the first one that makes the text bad, which has these words.
function beforeFault(text, words, read) {
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
        if (read(text.slice(0, at + words.length)) instanceof Error) return text.slice(0, at);
    return "";
}

// Of a node of a record, and of how the game ended behind it.
function notesOf({ comment, elapsedMs, bookmark, next }) {
    const notes = note({ ms: elapsedMs || undefined, bookmark }, comment);
    return next && !("usi" in next.move) ? { ...notes, end: { ...next.move, type: TYPES[next.move.name] ?? next.move.type, notes: notesOf({ ...next, next: null }) } } : notes;
}

// Those behind a node. bad: gets what stands where a move should.
function movesOfRecord(parent, bad) {
    const moves = [];
    let at = parent.next;
    for (; at && "usi" in at.move; at = at.next) {
        const variations = [];
        for (let other = at.branch; other && at.isFirstBranch; other = other.branch) variations.push(movesOfRecord({ next: other }, bad));
        moves.push({ text: at.move.usi, notes: notesOf(at), variations: variations.filter((list) => list.length) });
    }
    if (at?.move.type === "any" && !/^(ERROR|MATTA)$/.test(at.move.name) && /[\w\uff10-\uff19]/.test(at.move.name)) bad.push(faultAt(at.ply, at.move.name));
    return moves;
}

function writeRecord(tree, remark, write) {
    const record = new ShogiRecord(ShogiPosition.newBySFEN(tree.root.fen)), { standard = {}, custom = {} } = tree.tags;
    const noteOn = ({ bookmark, ms }, comment) => {
        Object.assign(record.current, { bookmark: bookmark ?? "", comment });
        record.current.setElapsedMs(ms ?? 0);
    };
    const append = (node) => {
        if (node.parent) record.append(record.position.createMoveByUSI(node.move), { ignoreValidation: true });
        noteOn(node, wordsOf(node, remark));
        node.children.forEach(append);
        if (node.end && !node.children.length) {
            record.append(node.end, { ignoreValidation: true });
            noteOn(node.end.notes, wordsOf(node.end.notes, () => ""));
            record.goBack();
        }
        record.goBack();
    };
    append(tree.root);
    record.resetAllBranchSelection();
    for (const [key, value] of Object.entries(standard)) record.metadata.setStandardMetadata(key, value);
    for (const [key, value] of Object.entries(custom)) record.metadata.setCustomMetadata(key, value);
    return write(record, {});
}

// tsshogi 2.2.0 writes of the times only what stands behind the date.
function writeCsa(tree, remark) {
    const { date, startDatetime = date, endDatetime } = tree.tags.standard ?? {}, times = { START: startDatetime, END: endDatetime };
    const lines = Object.entries(times).filter(([, time]) => time).map(([name, time]) => `$${name}_TIME:${time}\n`).join("");
    return writeRecord(tree, remark, exportCSA).replace(/^\$(?:START|END)_TIME:.*\n/gm, "").replace(/^P/m, `${lines.replaceAll("$", "$$$$")}P`);
}

/* ---- writing ---- */

export const formatsOf = (isShogi) => isShogi ? ["KIF", "CSA", "USI", "SFEN"] : ["PGN", "UCI", "FEN"];

// The game of a line in one of these formats; UCI and USI have no variations, FEN and SFEN are the position that is shown.
export function writeGame(format, { tree, line, at }, remark) {
    if (format === "PGN") return writePgn(tree, remark);
    if (format === "KIF") return writeRecord(tree, remark, exportKIF);
    if (format === "CSA") return writeCsa(tree, remark);
    if (format === "FEN" || format === "SFEN") return `${line[at].fen}\n`;
    const moves = line.slice(1).map(({ move }) => move);
    return `position ${format === "USI" ? "sfen" : "fen"} ${[tree.root.fen, ...moves.length ? ["moves", ...moves] : []].join(" ")}\n`;
}
