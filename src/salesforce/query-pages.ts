import { crmError } from './classify.ts';

/**
 * The minimum number of rows in a page that Salesforce returns, together with their child rows. Only the last page of a list may have fewer,
 * and a page that ends because the next row has too many child rows.
 */
export const ROWS_OF_A_PAGE = 200;
/**
 * The maximum number of pages that one query may read after its first page. The pages of its sub-queries count too. If more are needed, the
 * query fails with MALFORMED_ANSWER.
 */
const MOST_PAGES = 1_000;

/**
 * The size of a list. `announced`: how many rows the list has, as its first page says. `children`: how many child rows the pages that were
 * read have shown in the rows' own lists, because Salesforce counts them toward the size of a page.
 */
export type ListSize = { readonly announced: number; readonly children: number };

/** Counts the pages that one query and its sub-queries request, so that a list of pages without an end is detected. */
export class QueryPages {
  readonly #asked = new Set<string>();

  /**
   * Counts the page at `address`; must be called before that page is read. `pages`: how many pages of the list were read after the first.
   * Throws `transient` MALFORMED_ANSWER if the list has more pages than its rows can fill, or if an address comes twice, because the list
   * might never end.
   */
  take(address: string, { announced, children }: ListSize, pages: number): void {
    const most = Math.ceil(announced / ROWS_OF_A_PAGE) + 2 * Math.ceil(children / ROWS_OF_A_PAGE);
    const isTooMany = pages >= most || this.#asked.size >= MOST_PAGES;
    if (isTooMany || this.#asked.has(address)) throw crmError('transient', 'MALFORMED_ANSWER');
    this.#asked.add(address);
  }
}
