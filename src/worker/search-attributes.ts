import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../temporal.config.ts';
import type { Logger } from '../platform/logger.ts';

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const KEYWORD = 2;

/**
 * Adds the search attributes that the namespace lacks. Where this is not allowed (Temporal Cloud), it says which are
 * missing and goes on: an administrator adds them once.
 */
export async function ensureSearchAttributes(
  connection: Connection,
  namespace: string,
  log: Logger,
): Promise<void> {
  const names = Object.values(SEARCH_ATTRIBUTES).map((key) => key.name);
  const known = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = names.filter((name) => known.customAttributes?.[name] === undefined);
  if (missing.length === 0) return;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
    });
  } catch (err) {
    log.warn('search attributes are missing and could not be added', {
      name: missing.join(' '),
      namespace,
      err,
    });
  }
}
