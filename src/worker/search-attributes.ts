import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../temporal.config.ts';
import type { Logger } from '../platform/logger.ts';

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const KEYWORD = 2;
/** gRPC's code for what a server cannot make sense of, such as the name of an attribute that it does not have. */
const INVALID_ARGUMENT = 3;

/** Of a connection, what looks at search attributes and adds them. */
export type AttributesConnection = {
  readonly operatorService: Pick<
    Connection['operatorService'],
    'listSearchAttributes' | 'addSearchAttributes'
  >;
  readonly workflowService: Pick<Connection['workflowService'], 'countWorkflowExecutions'>;
};

/** The search attributes that a namespace lacks. Rejects with the client's error where neither way tells. */
export async function missingSearchAttributes(
  { operatorService, workflowService }: AttributesConnection,
  namespace: string,
): Promise<readonly string[]> {
  const names = Object.values(SEARCH_ATTRIBUTES).map((key) => key.name);
  const known = await operatorService.listSearchAttributes({ namespace }).catch(() => null);
  if (known !== null) return names.filter((name) => known.customAttributes?.[name] === undefined);
  // Temporal Cloud lists them for nobody who has a namespace's key: what cannot be searched by is not there.
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
 * Adds the search attributes that the namespace lacks. Where this is not allowed (Temporal Cloud), it says which are
 * missing and goes on: an administrator adds them once.
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
