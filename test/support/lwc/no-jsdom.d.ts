/** Stands in for the types of jsdom, which vitest's types name and which would give every file the globals of a browser. */
export declare class JSDOM {}
export declare class CookieJar {}
export type ConstructorOptions = object;
