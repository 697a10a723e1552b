/** One state of a row that a stream shows, by its stamp (ISO). */
export type RowVersion = { readonly rowId: string; readonly stamp: string };

/** Where a stream's cursor moves to, and which of its rows are known by then. */
export type CursorMove = {
  readonly stream: string;
  readonly position: unknown;
  /** Versions to be remembered; those stamped before `forgetBefore` are not met again, and are forgotten. */
  readonly seen?: { readonly rows: readonly RowVersion[]; readonly forgetBefore: string };
};

/** The same where nothing is to be remembered. `forgetBefore`: absent where nothing is forgotten. */
export type QuietMove = {
  readonly stream: string;
  readonly position: unknown;
  readonly forgetBefore?: string;
};
