/** Stands in the text of a message where an image goes: U+FDD2, a noncharacter, which callers' texts must not contain next to images. */
export const imagePlace = '\ufdd2';
