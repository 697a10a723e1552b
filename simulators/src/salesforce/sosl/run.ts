import { objectOf, runSoql } from '../soql/execute.ts';
import type { QueryRecord } from '../soql/project.ts';
import type { QueryEnv } from '../soql/query-env.ts';
import { compileSearch } from './match.ts';
import { MAX_RESULTS, type Sosl } from './parse.ts';

/** Objects that a search without RETURNING looks into. */
const SEARCHED = ['Account', 'Contact', 'Lead', 'Opportunity', 'Case', 'Product2', 'User'];

/** The records that a search finds, object by object. Throws the errors of the SOQL in its parentheses. */
export function runSosl(env: QueryEnv, { find, scope, returning, limit }: Sosl): readonly QueryRecord[] {
  const known = SEARCHED.filter((name) => env.store.schema.object(name) !== undefined);
  const specs = returning.length > 0 ? returning : known.map((object) => ({ object, fields: 'Id', rest: '' }));
  const found = specs.flatMap((spec) => {
    const object = objectOf(env.store, spec.object);
    const among = compileSearch(find, scope, object);
    return runSoql({ ...env, among }, `SELECT ${spec.fields} FROM ${object.name} ${spec.rest}`).records;
  });
  return found.slice(0, Math.min(limit, MAX_RESULTS));
}
