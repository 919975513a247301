// Board sizes, generated from tools/littlego/games/sizes.py by `littlego dev regenerate`.
export const STARTS = {"little-go": "5x5, Little-Go", "match-9": "9x9", "match-13": "13x13", "match-19": "19x19"};
export const EMPTY_SIZES = {"little-go": 5, "match": 9};
export const STARS = {"9": [2, 4, 6], "11": [2, 5, 8], "13": [3, 6, 9], "15": [3, 7, 11], "17": [3, 8, 13], "19": [3, 9, 15]};
export const MOST_CELLS = 19;
