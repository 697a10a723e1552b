import { crmError } from './classify.ts';

/** Salesforce's smallest page; the last of a list alone has fewer rows. */
const ROWS_OF_A_PAGE = 200;
/** Pages after the first ones, of all lists of one query. */
const MOST_PAGES = 1_000;

/** Which pages one query has asked for, those of its sub-queries too. */
export class QueryPages {
  readonly #asked = new Set<string>();

  /**
   * Asked before the next page of a list that announced so many rows, and has had so many pages after its first. Throws `transient`
   * MALFORMED_ANSWER where the list has more pages than its rows fill, or the address was asked before: it might never end.
   */
  take(address: string, announcedRows: number, pages: number): void {
    const isTooMany = pages >= Math.ceil(announcedRows / ROWS_OF_A_PAGE) || this.#asked.size >= MOST_PAGES;
    if (isTooMany || this.#asked.has(address)) throw crmError('transient', 'MALFORMED_ANSWER');
    this.#asked.add(address);
  }
}
