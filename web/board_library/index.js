// SPDX-License-Identifier: MIT
// What the page takes of its board's library, of React, which that is made with, and of the one that reads and writes games of shogi.
export { Chessboard, ChessboardProvider, SparePiece, defaultPieces } from "react-chessboard";
export { Component, createElement } from "react";
export { createRoot } from "react-dom/client";
export { flushSync } from "react-dom";
export { Position as ShogiPosition, Record as ShogiRecord, RecordFormatType, detectRecordFormat, exportCSA, exportKIF, importCSA, importKI2, importKIF } from "tsshogi";
