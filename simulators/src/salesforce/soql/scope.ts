import type { QueryBase } from '@jetstreamapp/soql-parser-js';
import { notSimulated } from '../not-simulated.ts';
import type { ObjectDef } from '../schema/types.ts';
import { malformed } from './parse.ts';
import type { QueryEnv } from './query-env.ts';
import type { Predicate } from './where.ts';

/** Further scopes of the SOQL reference, which the simulator does not support. */
const OTHERS: ReadonlySet<string> = new Set([
  'delegated',
  'mine_and_my_groups',
  'my_territory',
  'my_team_territory',
  'team',
]);

/** The rows of a query's scope (SOQL reference: "USING SCOPE"): all, or those of the user. Throws MALFORMED_QUERY for others. */
export function compileScope(
  { userId }: QueryEnv,
  object: ObjectDef,
  query: QueryBase & { readonly usingScope?: string },
): Predicate {
  const scope = query.usingScope?.toLowerCase() ?? 'everything';
  if (scope === 'everything') return () => true;
  if (OTHERS.has(scope)) throw notSimulated(`USING SCOPE ${scope}`);
  if (scope !== 'mine' || !object.fields.has('ownerid')) {
    throw malformed(`the scope ${query.usingScope} is not supported here`);
  }
  return (row) => row['OwnerId'] === userId;
}
