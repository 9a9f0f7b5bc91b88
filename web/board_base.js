// SPDX-License-Identifier: MIT
// What the boards of both games have in common: squares and pieces as react-chessboard draws them, and moves by clicks or taps, by
// dragging a piece, or by the arrow keys and Enter.
import { Chessboard, ChessboardProvider, Component, createElement, createRoot, flushSync } from "./board_library.js";
import { element, say } from "./api.js";

const GLIDE = 150; // milliseconds that a moved piece is on its way
let boards = 0;

export class BoardBase {
    // play(move) is called with a move of `moves` that was chosen. files, ranks: the names of columns from the left and of rows
    // from the top; cursor: where it stands first; capitals: whose pieces a FEN writes so; look: more options of the library, such as
    // the drawings of pieces.
    constructor(play, { files, ranks, cursor, capitals, help, look }) {
        Object.assign(this, { play, files, ranks, cursor, capitals, rankNames: ranks, turned: false, picked: null, arrows: [], drops: {}, pointed: "", places: {} });
        this.shown = { fen: "", moves: [], last: "" };
        // To a reader of the screen the board is described in the status line: the library's own words are of keys that it has not here.
        const drawn = element("div", { class: "drawn", "aria-hidden": true });
        this.element = element("div", { class: "board", tabindex: 0, role: "application", "aria-label": `Board. ${help}`,
                                        keydown: (event) => this.key(event) }, drawn);
        this.root = createRoot(drawn, { onCaughtError: () => {} });
        this.options = { id: `board${++boards}`, ...this.handlers(), ...look };
        new MutationObserver(() => removeTabStops(drawn)).observe(drawn, { childList: true, subtree: true });
    }

    handlers() {
        const origin = (isInHand, pieceType, place) => isInHand ? this.nameInHand(pieceType) : this.squareOf(place);
        return {
            animationDurationInMs: GLIDE, dragActivationDistance: 5,
            chessboardRows: this.ranks.length, chessboardColumns: this.files.length, showNotation: false,
            canDragPiece: ({ piece, square, isSparePiece }) => this.mayMove(origin(isSparePiece, piece.pieceType, square)),
            onSquareClick: ({ square }) => this.choose(this.squareOf(square)),
            onPieceDrop: ({ piece: { isSparePiece, pieceType }, sourceSquare, targetSquare }) =>
                Boolean(targetSquare) && this.drop(origin(isSparePiece, pieceType, sourceSquare), this.squareOf(targetSquare)),
            squareRenderer: ({ square, children }) => this.square(this.squareOf(square), children),
        };
    }

    // The library names columns by letters from the left and rows by numbers from the bottom, as chess does.
    placeOf(square) {
        return String.fromCharCode(97 + this.files.indexOf(square[0])) + (this.ranks.length - this.ranks.indexOf(square[1]));
    }

    squareOf(place) {
        return this.files[place.charCodeAt(0) - 97] + this.ranks[this.ranks.length - Number(place[1])];
    }

    // moves: [{move, san}] that are legal; last: the move that led here.
    show(fen, moves = [], last = "") {
        const placed = ([square, pieceType]) => [this.placeOf(square), { pieceType }];
        this.element.hidden = !fen;
        if (fen && fen !== this.shown.fen) this.places = Object.fromEntries(Object.entries(this.piecesOf(fen)).map(placed));
        this.shown = { fen, moves, last };
        this.picked = null;
        this.draw();
    }

    // Arrows of moves, the best one first. A drop has the piece itself, faint on its square, and a frame around it in the hand.
    point(moves) {
        if (moves.join() === this.pointed) return;
        this.pointed = moves.join();
        const ends = moves.map((move, i) => [move.slice(0, 2), move.slice(2, 4), i ? "var(--other)" : "var(--sign)"]);
        const isNew = ([from, to], i) => i === ends.findIndex(([start, end]) => start === from && end === to); // not a promotion too
        this.arrows = ends.filter((end, i) => this.isSquare(end[0]) && isNew(end, i))
            .map(([from, to, color]) => ({ startSquare: this.placeOf(from), endSquare: this.placeOf(to), color }));
        this.drops = Object.fromEntries(ends.filter(([from]) => !this.isSquare(from)).reverse().map(([from, to, color]) => [to, { from, color }]));
        this.draw();
    }

    turn() {
        this.turned = this.element.classList.toggle("turned");
        this.draw();
    }

    isSquare(name) {
        return this.files.includes(name[0]) && this.ranks.includes(name[1]);
    }

    // {square: "wP"} of the first field of a FEN or an SFEN.
    piecesOf(fen) {
        const pieces = {}, others = this.capitals === "w" ? "b" : "w";
        fen.split(" ")[0].split("/").forEach((row, i) => {
            let file = 0;
            for (const [, promoted, letter] of row.matchAll(/(\+?)(.)/g)) {
                if (/\d/.test(letter)) file += Number(letter);
                else pieces[this.files[file++] + this.ranks[i]] = (letter < "a" ? this.capitals : others) + promoted + letter.toUpperCase();
            }
        });
        return pieces;
    }

    // What stands on a square, as piecesOf() names it.
    pieceAt(square) {
        return this.places[this.placeOf(square)]?.pieceType;
    }

    mayMove(from) {
        return this.shown.moves.some(({ move }) => move.slice(0, 2) === from);
    }

    // The moves from a square, or from a hand, and where they go.
    movesFrom(from) {
        return this.shown.moves.filter(({ move }) => move.slice(0, 2) === from).map(({ move }) => [move.slice(2, 4), move]);
    }

    // Drawn while it is on the page only: a view that is shown draws its board.
    //
    // A game has nameAt(square); promotions(moves), the [text, move] to choose from; and where it has
    // hands nameInHand(piece), "P*", dropped("P*"), a drawing of it, and around(board), which puts them beside the board.
    draw() {
        if (!this.shown.fen || !this.element.isConnected) return;
        const showAnimations = !matchMedia("(prefers-reduced-motion: reduce)").matches;
        const boardOrientation = this.turned ? "black" : "white";
        const options = { ...this.options, position: this.places, arrows: this.arrows, boardOrientation, showAnimations };
        const board = createElement(ChessboardProvider, { options }, ...this.around(this.field()));
        const render = () => flushSync(() => this.root.render(createElement(Again, null, board)));
        try {
            render();
        } catch {
            render(); // React may take fifty in a row, as a key held down asks for, for a loop without end; it counts anew now
        }
    }

    around(board) {
        return [board];
    }

    // The squares, with the names of columns and rows outside of them.
    field() {
        const names = (className, signs) => createElement("div", { className }, ...(this.turned ? [...signs].reverse() : [...signs])
            .map((sign) => createElement("span", {}, sign)));
        return createElement("div", { className: "field" }, createElement(Chessboard), names("files", this.files), names("ranks", this.rankNames));
    }

    square(square, children) {
        const { last } = this.shown, kinds = ["square"];
        if ([last.slice(0, 2), last.slice(2, 4)].includes(square)) kinds.push("last");
        if (square === this.picked) kinds.push("picked");
        if (square === this.cursor) kinds.push("cursor");
        if (this.picked && this.movesFrom(this.picked).some(([to]) => to === square)) kinds.push("target");
        return createElement("div", { className: kinds.join(" "), "data-name": square }, children, this.dropTo(square));
    }

    // The piece that one of the moves pointed at drops there.
    dropTo(square) {
        const drop = this.drops[square];
        return drop ? createElement("div", { className: "drop", style: { borderColor: drop.color } }, this.dropped(drop.from)) : null;
    }

    // The picked piece goes there, or the piece there is picked up.
    choose(square) {
        this.cursor = square;
        if (this.picked && this.go(this.picked, square)) return;
        this.picked = this.mayMove(square) && this.picked !== square ? square : null;
        this.tell(this.picked ? "picked up: " : "");
        this.draw();
    }

    // A piece was dragged. Is that a move which is played now?
    drop(from, to) {
        this.cursor = to;
        return this.go(from, to) === 1;
    }

    // Plays the move, or asks which of several. How many there are.
    go(from, to) {
        const found = this.movesFrom(from).filter(([end]) => end === to).map(([, move]) => move);
        if (found.length > 1) this.ask(this.promotions(found));
        else if (found.length) this.play(found[0]);
        return found.length;
    }

    // Which of several moves is meant. Escape lets go.
    ask(choices) {
        const made = element("dialog", { class: "choice", "aria-label": "Promotion", close: () => made.remove() },
            ...choices.map(([text, move]) => element("button", { type: "button", click: () => {
                made.close();
                this.play(move);
            } }, text)));
        document.body.append(made);
        made.showModal();
    }

    tell(before = "") {
        say(`${before}${this.cursor}: ${this.nameAt(this.cursor)}`);
    }

    key(event) {
        const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        if (steps[event.key]) this.step(...steps[event.key]);
        else if (event.key === "Enter" || event.key === " ") this.choose(this.cursor);
        else if (event.key === "Escape") this.picked = null;
        else if (!this.otherKey(event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        this.draw();
    }

    // A key that only one game has. False: it is none.
    otherKey() {
        return false;
    }

    step(right, down) {
        const way = this.turned ? -1 : 1;
        const file = this.files[this.files.indexOf(this.cursor[0]) + way * right];
        const rank = this.ranks[this.ranks.indexOf(this.cursor[1]) + way * down];
        if (!file || !rank) return;
        this.cursor = file + rank;
        this.tell();
    }
}

// The library makes a stop of the Tab key of each piece; the board is one.
function removeTabStops(drawn) {
    for (const piece of drawn.querySelectorAll("[tabindex]")) piece.removeAttribute("tabindex");
}

// Draws its children anew where the library has failed, as it does when a board is hidden while a piece is on its way.
class Again extends Component {
    constructor(properties) {
        super(properties);
        this.state = { failed: false };
    }

    static getDerivedStateFromError() {
        return { failed: true };
    }

    componentDidCatch() {
        this.setState({ failed: false });
    }

    render() {
        return this.state.failed ? null : this.props.children;
    }
}
