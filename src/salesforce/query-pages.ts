import { crmError } from './classify.ts';

/** The smallest page that Salesforce returns, in rows. Only the last page of a list has fewer rows. */
export const ROWS_OF_A_PAGE = 200;
/** The number of further pages that one query may read, pages of its sub-queries included. */
const MOST_PAGES = 1_000;

/** The pages that one query and its sub-queries have requested. */
export class QueryPages {
  readonly #asked = new Set<string>();

  /**
   * Counts the page at `address`, and must be called before the page is read. `announcedRows`: the row count in the list's first page.
   * `pages`: the number of further pages read so far. Throws `transient` MALFORMED_ANSWER if the list has more pages than its rows fill,
   * or repeats an address, because the list might never end.
   */
  take(address: string, announcedRows: number, pages: number): void {
    const isTooMany = pages >= Math.ceil(announcedRows / ROWS_OF_A_PAGE) || this.#asked.size >= MOST_PAGES;
    if (isTooMany || this.#asked.has(address)) throw crmError('transient', 'MALFORMED_ANSWER');
    this.#asked.add(address);
  }
}
