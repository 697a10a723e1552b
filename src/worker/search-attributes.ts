import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../temporal.config.ts';
import type { Logger } from '../platform/logger.ts';

/** Temporal's code `INDEXED_VALUE_TYPE_KEYWORD`. */
const KEYWORD = 2;
/** gRPC's code INVALID_ARGUMENT, Temporal's answer to a query with an unknown search attribute. */
const INVALID_ARGUMENT = 3;

/** The calls of a Temporal connection that list and add search attributes. */
export type AttributesConnection = {
  readonly operatorService: Pick<Connection['operatorService'], 'listSearchAttributes' | 'addSearchAttributes'>;
  readonly workflowService: Pick<Connection['workflowService'], 'countWorkflowExecutions'>;
};

/**
 * Names of Lockstep's search attributes that a namespace lacks. Asks Temporal for the list of attributes. If Temporal refuses to list them,
 * tests each attribute by a query. Rejects with the client's error if a query fails too.
 */
export async function missingSearchAttributes(
  { operatorService, workflowService }: AttributesConnection,
  namespace: string,
): Promise<readonly string[]> {
  const names = Object.values(SEARCH_ATTRIBUTES).map((key) => key.name);
  const known = await operatorService.listSearchAttributes({ namespace }).catch(() => null);
  if (known !== null) return names.filter((name) => known.customAttributes?.[name] === undefined);
  // With an API key that is limited to a namespace, Temporal Cloud does not list the search attributes. A query then
  // tests each attribute.
  const isMissing = async (name: string): Promise<boolean> => {
    try {
      await workflowService.countWorkflowExecutions({ namespace, query: `${name} = 'any'` });
      return false;
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === INVALID_ARGUMENT) return true;
      throw error;
    }
  };
  const missing = await Promise.all(names.map(async (name) => ((await isMissing(name)) ? [name] : [])));
  return missing.flat();
}

/**
 * Adds missing search attributes to the namespace. If Temporal does not allow this (Temporal Cloud does not), logs their names for an
 * administrator.
 */
export async function ensureSearchAttributes(
  connection: AttributesConnection,
  namespace: string,
  log: Logger,
): Promise<void> {
  const missing = await missingSearchAttributes(connection, namespace);
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
