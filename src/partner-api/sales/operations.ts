import { allPages } from '../all-pages.ts';
import type { SalesApi } from '../api.ts';
import type { OperationContext } from '../context.ts';
import type { PortfolioItem } from './answers.ts';
import { createLeadOpportunity } from './create.ts';
import type { SearchPortfolioItemsInput } from './inputs.ts';
import { searchPortfolioItems } from './portfolio.ts';
import { readLeadOpportunity } from './read.ts';
import { searchLeadOpportunities } from './search.ts';
import { updateLeadOpportunity } from './update.ts';

/** Creates the five operations of the sales API, and an async iterable over all rows of its one paged list. */
export function salesOperations(context: OperationContext): SalesApi {
  const searchItems = searchPortfolioItems(context);
  const keyOf = (item: PortfolioItem): string => item.salesPortfolioId ?? JSON.stringify(item);
  const everyItem = allPages<SearchPortfolioItemsInput, PortfolioItem>(
    { operation: 'searchPortfolioItems', domain: 'sales' },
    searchItems,
    1000,
    keyOf,
  );
  return {
    createLeadOpportunity: createLeadOpportunity(context),
    updateLeadOpportunity: updateLeadOpportunity(context),
    readLeadOpportunity: readLeadOpportunity(context),
    searchLeadOpportunities: searchLeadOpportunities(context),
    searchPortfolioItems: searchItems,
    allPortfolioItems: everyItem,
  };
}
