import offers from '../core/seed/offers.json' with { type: 'json' };
import { PAGE_BOUNDS } from './page-bounds.ts';
import { accepted, type Checked, PROBLEMS, refused, sandboxInvalid } from './problem.ts';

/** A portfolio item, which is an offer (sales spec 2.10). */
export type PortfolioItem = {
  readonly salesPortfolioType: string;
  readonly salesPortfolioInfrastructure: string;
  readonly salesPortfolioisOrderable: boolean;
  readonly salesPortfolioLevel1: string;
  readonly salesPortfolioLevel2: string;
  readonly salesPortfolioLevel3: string;
  readonly salesPortfolioId: string;
};

export type Page = { readonly skip: number; readonly top: number };

const WHOLE = /^\d+$/;

/** `skip` and `top` of a portfolio search (sales spec 4.5): ERROR_004 when `top` is no positive integer. */
export function readPage(skip: string | undefined, top: string | undefined): Checked<Page> {
  if (top !== undefined && (!WHOLE.test(top) || Number(top) < 1)) return refused(PROBLEMS.badTop);
  if (skip !== undefined && !WHOLE.test(skip)) {
    return refused(sandboxInvalid('skip: must be an integer from 0.'));
  }
  return accepted({
    skip: Number(skip ?? 0),
    top: Number(top ?? PAGE_BOUNDS.searchPortfolioItems.defaultTop),
  });
}

/** The portfolio of both simulators, so that the CRM's products have the vendor's ids. */
export function seedPortfolio(): readonly PortfolioItem[] {
  return offers.map((offer) => ({
    salesPortfolioType: offer.type,
    salesPortfolioInfrastructure: offer.infrastructure,
    salesPortfolioisOrderable: offer.orderable,
    salesPortfolioLevel1: offer.levels[0] ?? '',
    salesPortfolioLevel2: offer.levels[1] ?? '',
    salesPortfolioLevel3: offer.name,
    salesPortfolioId: offer.id,
  }));
}
