/** A deal of the story; what the side that did not make it has, is looked up. */
export type Deal = {
  readonly number: number;
  readonly crmId: string | null;
  readonly vendorId: string | null;
};

/** How, or whether, the engine hears of an edit. */
export type Notice = 'now' | 'lost' | 'twice' | 'late' | 'unsignalled';

/** The last value that people gave a field on each side since both sides were last seen settled. */
export type Entered = { crm?: string; vendor?: string };
