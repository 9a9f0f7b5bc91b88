// SPDX-License-Identifier: MIT
// What the page takes of its board's library, and of React, which that is made with.
export { Chessboard, ChessboardProvider, SparePiece, defaultPieces } from "react-chessboard";
export { Component, createElement } from "react";
export { createRoot } from "react-dom/client";
export { flushSync } from "react-dom";
