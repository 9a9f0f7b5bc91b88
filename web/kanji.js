// SPDX-License-Identifier: MIT
// The signs of shogi's pieces, stroke by stroke on 100 by 100, as paths of SVG: no font is needed to see them. And moves as Japanese write them.
import { element } from "./api.js";

const ROOF = "M50 3Q34 27 4 43M50 3Q66 27 96 43", TREE = "M6 22H94M50 4V54M47 24Q34 42 5 53M53 24Q66 42 95 53";

export const KANJI = {
    P: "M50 3V46M50 24H80M25 18V46M5 46H95M52 54V80Q52 88 41 85M30 56Q26 68 15 78M71 56Q80 64 87 76M83 72Q58 95 12 98",
    L: "M74 3Q54 11 24 13M6 27H94M50 12V55M47 29Q32 46 5 55M53 29Q68 46 95 55M27 62V99M27 62H73V99M27 79H73M27 96H73",
    N: "M3 28H43M24 3V98M23 31Q17 56 3 70M27 40Q35 48 40 57M52 22H93M72 4V47M46 47H98M54 70H91M72 56V95M45 95H100",
    S: "M25 3Q17 22 2 33M25 3Q34 17 46 27M13 37H37M6 54H43M25 37V91M10 63L15 78M40 63L35 77M3 93L47 87M57 8H89V46M57 27H89M57 46H89M57 8V93L75 84M94 54Q85 64 76 68M66 48Q74 84 99 96",
    G: `${ROOF}M28 46H72M12 65H88M50 46V95M24 73L32 88M76 73L67 88M5 96H95`,
    B: "M38 2Q30 19 10 32M36 12H67Q63 22 54 30M21 31H80V90Q80 98 67 95M21 31V62Q20 84 6 98M22 51H80M22 71H80M50 31V71",
    R: "M7 9H61Q60 36 88 41Q95 42 95 28M89 9Q83 16 71 19M72 21Q82 24 89 31M42 25Q30 33 9 37M4 57H61Q60 88 88 95Q96 96 95 81M26 34V66Q25 88 8 99M44 28V99M89 58Q83 65 71 68M72 70Q82 73 89 80",
    K: "M12 13H88M18 50H82M50 13V92M5 93H95M65 63Q74 70 80 79",
    "+P": "M35 5Q36 28 47 45M86 29Q14 52 14 75Q14 95 54 95Q73 95 86 91",
    "+L": `${TREE}M27 63V99M27 63H73V99M27 95H73`,
    "+N": "M19 19H81M50 3V46M7 46H93M15 70H85M50 56V95M5 96H95",
    "+S": `${ROOF}M26 47H74M50 47V94M21 70H79M6 95H94`,
    "+B": "M20 6V64M20 6H83M52 6V64M20 25H79M20 44H79M20 64H88Q88 84 81 95Q77 100 66 94M10 76Q9 88 4 95M30 76Q34 83 35 91M48 75Q53 81 55 88M66 74Q72 79 74 85",
    "+R": "M50 1V15M14 16H86M33 22Q38 28 40 35M67 22Q65 29 61 35M5 37H95M22 48V83M22 48H78V83M22 64H78M22 80H78M50 37V86Q50 97 62 97H86Q95 97 95 85",
};

export const RANKS = "\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d";
const NAMES = { P: "\u6b69", L: "\u9999", N: "\u6842", S: "\u9280", G: "\u91d1", B: "\u89d2", R: "\u98db", K: "\u7389", "+P": "\u3068", "+L": "\u6210\u9999", "+N": "\u6210\u6842", "+S": "\u6210\u9280", "+B": "\u99ac", "+R": "\u9f8d" };

// Do the pieces bear Latin letters? So that all boards of the page, and the next visit, agree.
export const hasLetters = () => localStorage.getItem("pieces") === "letters";

// A move as an element: of shogi in both scripts, "P7g-7f" and "\uff17\u516d\u6b69(77)", of which style.css shows one. A move of chess as it is.
export function moveName(san) {
    const [, piece, from, file, rank, sign] = san?.match(/^(\+?[PLNSGBRK])(?:\*|(\d[a-i])[-x])(\d)([a-i])([+=]?)#?$/) ?? [];
    if (!piece) return san || "?";
    const number = (letter) => letter.charCodeAt() - 96, ends = { "+": "\u6210", "=": "\u4e0d\u6210", "": "" }[sign];
    const name = String.fromCharCode(0xff10 + Number(file)) + RANKS[number(rank) - 1] + NAMES[piece] + ends + (from ? `(${from[0]}${number(from[1])})` : "\u6253");
    return element("span", { class: "move", lang: "ja", "data-kanji": name }, element("span", { lang: "en" }, san));
}
