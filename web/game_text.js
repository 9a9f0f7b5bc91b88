// SPDX-License-Identifier: MIT
// Games as text: PGN, KIF, KI2, CSA, and a position with moves. They are read up to the first fault, games of shogi by tsshogi; which
// moves are legal the server says. A move is {text, comment, nags, variations: lists of moves that could have been played instead}.
import { RecordFormatType, ShogiPosition, ShogiRecord, detectRecordFormat, exportCSA, exportKIF, importCSA, importKI2, importKIF } from "./board_library.js";

const SIGNS = { "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6 };
const COLUMNS = 80;

// The texts of the games of a text, each with a name.
export function gamesOf(text, isShogi) {
    const parts = isShogi ? text.split(/^\/[ \r]*$|\n(?=#KIF)/m) : text.split(/\n(?=\[Event )/);
    const tag = (part, name) => part.match(isShogi ? { White: /^(?:N\+|\u5148\u624b\uff1a)(.+)/m, Black: /^(?:N-|\u5f8c\u624b\uff1a)(.+)/m }[name] : new RegExp(`^\\[${name} "(.*)"`, "m"))?.[1] || "?";
    return parts.filter((part) => part.trim()).map((part, i) => ({ text: part.trim(), name: `${i + 1}. ${tag(part, "White")} - ${tag(part, "Black")}` }));
}

// {fen, moves, tags, fault}; fault: one line, or "".
export function readGame(text, isShogi) {
    const position = text.match(/^(?:position\s+)?(startpos|(?:s?fen\s+)?(?:[^\s/]+\/){7,8}[^\s/]+(?:(?!\s+moves)\s+\S+)*)(?:\s+moves(?:\s+([\s\S]*))?)?$/);
    if (position) {
        const moves = (position[2] ?? "").split(/\s+/).filter(Boolean).map((move) => ({ text: move, variations: [] }));
        return { fen: position[1] === "startpos" ? "" : position[1].replace(/^s?fen\s+/, ""), moves, tags: {}, fault: "" };
    }
    const game = isShogi ? readRecord(text) : readPgn(text);
    if (game.moves.length || game.fen || game.fault) return game;
    return { ...game, fault: `'${text.slice(0, 40)}' is no game: ${isShogi ? "KIF, KI2, CSA, SFEN" : "PGN, FEN"} or startpos is read` };
}

function faultAt(number, word, what) {
    return `move ${number}: "${word.trim().slice(0, 40)}": ${what}`;
}

/* ---- PGN ---- */

const TAGS = /^\s*(?:\[\s*\w+\s+"(?:[^"\\]|\\.)*"\s*\]\s*)*/;
const TOKENS = /\{([^}]*)\}|;(.*)|\$(\d+)|([()])|(1-0|0-1|1\/2-1\/2|\*)(?=[\s)]|$)|\d+(?:\.+|\u2026)|([^\s(){};$]+)|\{/g;
const MOVE = /^((?:[KQRBNP]?[a-h]?[1-8]?[x:-]?[a-h][1-8](?:=?[QRBNqrbn])?|[O0]-[O0](?:-[O0])?)[+#]?)([!?]*)$/;
const MARKS = /^(?:e\.p\.|\d+|N|D|[-+=/\u00b1\u2213\u221e\u2a71\u2a72]+)$/; // what may stand behind a move and says nothing of it

function readPgn(text) {
    const head = text.match(TAGS)[0], tags = {}, main = [], outer = [];
    for (const [, name, value] of head.matchAll(/\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"/g)) tags[name] = value.replace(/\\(.)/g, "$1");
    const game = (fault) => ({ fen: tags.FEN ?? "", moves: main, tags, fault });
    let list = main;
    for (const [word, comment, rest, nag, bracket, result, move] of text.slice(head.length).matchAll(TOKENS)) {
        const last = list.at(-1), [, plain, sign] = move?.match(MOVE) ?? [];
        const where = outer.length ? `in a variation of move ${main.length}` : `move ${main.length + 1}`;
        if (result && !outer.length) break;
        if (word === "{") return game(`${where}: a comment does not end; } is missing`);
        if (bracket === "(" && !last || bracket === ")" && !outer.length) return game(`${where}: '${bracket}' where no variation ${bracket === "(" ? "can begin" : "is open"}`);
        if (bracket === "(") {
            outer.push(list);
            last.variations.push(list = []);
        } else if (bracket) list = outer.pop();
        else if (plain) list.push({ text: plain, comment: "", nags: sign in SIGNS ? [SIGNS[sign]] : [], variations: [] });
        else if (nag || move in SIGNS) last?.nags.push(Number(nag ?? SIGNS[move]));
        else if (move && !MARKS.test(move)) return game(`${where}: "${move.slice(0, 40)}": this is not a move; one is e4, Nf3, exd8=Q or O-O`);
        else if (last) last.comment = [last.comment, (comment ?? rest ?? "").replace(/\[%[^\]]*\]/g, "").replace(/\s+/g, " ").trim()].filter(Boolean).join(" ");
    }
    return game(outer.length ? `a variation of move ${main.length} does not end; ) is missing` : "");
}

// remark(node): what is written of it beside its comment. As the moves of a list stand in it.
function textOfPgn(parent, remark, isFirst = true) {
    const words = [];
    for (let at = parent, begins = isFirst; at.children.length; at = at.children[0]) {
        const write = (node, starts) => {
            const [, side, , , , number] = node.parent.fen.split(" "), text = [remark(node), node.comment].filter(Boolean).join(" ");
            if (side === "w" || starts) words.push(`${number}.${side === "w" ? "" : ".."}`);
            words.push(node.san, ...(node.nags ?? []).map((nag) => `$${nag}`), ...(text ? `{ ${text.replace(/[{}]/g, "")} }` : "").split(/\s+/).filter(Boolean));
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
    for (const word of [...textOfPgn(tree.root, remark), tags.Result]) {
        const fits = column + 1 + word.length < COLUMNS;
        text += (column ? fits ? " " : "\n" : "") + word;
        column = column && fits ? column + 1 + word.length : word.length;
    }
    return `${Object.entries(tags).map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]`).join("\n")}\n\n${text}\n`;
}

/* ---- KIF, KI2, CSA ---- */

function readRecord(text) {
    const format = detectRecordFormat(text);
    const read = { [RecordFormatType.KIF]: importKIF, [RecordFormatType.KI2]: importKI2, [RecordFormatType.CSA]: importCSA }[format];
    if (!read) return { fen: "", moves: [], tags: {}, fault: "" };
    let record = read(text), word = "";
    if (record instanceof Error) {
        word = record.data ?? text;
        record = read(beforeFault(text, word, read));
        if (record instanceof Error) return { fen: "", moves: [], tags: {}, fault: `'${word.trim().slice(0, 40)}' is no line of ${RecordFormatType[format]}` };
    }
    const { moves, end } = movesOfRecord(record.first.next);
    if (!word && end?.type === "any" && /[\w\uff10-\uff19]/.test(end.name)) word = end.name;
    const isStart = record.initialPosition.sfen === new ShogiPosition().sfen;
    return { fen: isStart ? "" : record.initialPosition.sfen, moves, tags: { metadata: record.metadata, end },
             fault: word ? faultAt(moves.length + 1, word, `this is not a move of ${RecordFormatType[format]}`) : "" };
}

// The lines before the first one that makes the text bad, which has these words.
function beforeFault(text, words, read) {
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
        if (read(text.slice(0, at + words.length)) instanceof Error) return text.slice(0, at);
    return "";
}

// The scores of floodgate and ShogiHome are no words.
function movesOfRecord(first) {
    const moves = [];
    let at = first;
    for (; at && "usi" in at.move; at = at.next) {
        const variations = [];
        for (let other = at.branch; other && at.isFirstBranch; other = other.branch) variations.push(movesOfRecord(other).moves);
        moves.push({ text: at.move.usi, comment: at.comment.replace(/^(\* ?-?\d|[*#]\u8a55\u4fa1\u5024).*$/gm, "").trim(), variations: variations.filter((list) => list.length) });
    }
    return { moves, end: at?.move };
}

function writeRecord(tree, remark, write) {
    const record = new ShogiRecord(ShogiPosition.newBySFEN(tree.root.fen));
    const append = (node) => {
        record.append(record.position.createMoveByUSI(node.move), { ignoreValidation: true });
        record.current.comment = [remark(node), node.comment].filter(Boolean).join("\n");
        node.children.forEach(append);
        record.goBack();
    };
    tree.root.children.forEach(append);
    record.resetAllBranchSelection();
    record.goto(tree.main.length - 1);
    if (tree.tags.end) record.append(tree.tags.end, { ignoreValidation: true });
    if (tree.tags.metadata) record.metadata = tree.tags.metadata;
    return write(record, {});
}

/* ---- writing ---- */

export const formatsOf = (isShogi) => isShogi ? ["KIF", "CSA", "USI", "SFEN"] : ["PGN", "UCI", "FEN"];

// The game of a line in one of these formats; UCI and USI have no variations, FEN and SFEN are the position that is shown.
export function writeGame(format, { tree, line, at }, remark) {
    if (format === "PGN") return writePgn(tree, remark);
    if (format === "KIF") return writeRecord(tree, remark, exportKIF);
    if (format === "CSA") return writeRecord(tree, remark, exportCSA);
    if (format === "FEN" || format === "SFEN") return `${line[at].fen}\n`;
    const moves = line.slice(1).map(({ move }) => move);
    return `position ${format === "USI" ? "sfen" : "fen"} ${[tree.root.fen, ...moves.length ? ["moves", ...moves] : []].join(" ")}\n`;
}
