/** The folder with the addon and the heap library. */
export function addonFolder(): string;
