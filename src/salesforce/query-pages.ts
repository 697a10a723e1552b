import { crmError } from './classify.ts';

/** The minimum number of rows in a page that Salesforce returns. Only the last page of a list may have fewer. */
export const ROWS_OF_A_PAGE = 200;
/**
 * The maximum number of pages that one query may read after its first page. The pages of its sub-queries count too. If more are needed, the
 * query fails with MALFORMED_ANSWER.
 */
const MOST_PAGES = 1_000;

/** Counts the pages that one query and its sub-queries request, so that a list of pages without an end is detected. */
export class QueryPages {
  readonly #asked = new Set<string>();

  /**
   * Counts the page at `address`; must be called before that page is read. `announcedRows`: how many rows the list has, as its first page
   * says. `pages`: how many pages of the list were read after the first. Throws `transient` MALFORMED_ANSWER if the list has more pages
   * than its rows can fill, or if an address comes twice, because the list might never end.
   */
  take(address: string, announcedRows: number, pages: number): void {
    const isTooMany = pages >= Math.ceil(announcedRows / ROWS_OF_A_PAGE) || this.#asked.size >= MOST_PAGES;
    if (isTooMany || this.#asked.has(address)) throw crmError('transient', 'MALFORMED_ANSWER');
    this.#asked.add(address);
  }
}
