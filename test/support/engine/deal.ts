/** A deal of a story. The record on the other side is looked up. */
export type Deal = {
  readonly number: number;
  readonly crmId: string | null;
  readonly vendorId: string | null;
};

/** How the engine is notified of an edit, if at all. */
export type Notice = 'now' | 'lost' | 'twice' | 'late' | 'unsignalled';

/** The last values that users entered in a field since both sides were last seen settled. */
export type Entered = { crm?: string; vendor?: string };

/** A change of one of a deal's lines: `which` of them by its place; `offer` and `amount` of the line that is added or changed. */
export type LineChange = {
  readonly what: 'amount' | 'add' | 'delete';
  readonly which: number;
  readonly offer: string;
  readonly amount: number;
};
