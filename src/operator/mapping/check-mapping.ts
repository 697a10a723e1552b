import { judgeMapping, type Mapped, schemaFor } from '../../observe/mapping/judge-mapping.ts';
import { judgeOffers } from '../../observe/mapping/judge-offers.ts';
import { judgeSharedLeads } from '../../observe/mapping/judge-shared-leads.ts';
import type { Misfit } from '../../observe/mapping/problem.ts';
import type { Problem } from '../../platform/problems.ts';
import type { OrgReads } from './org-reads.ts';

/** The place of a setting in a mapping file: the line (from 1) of its key or, if the key is missing, of the nearest section around it. */
export type Place = { readonly file: string; readonly line: number };

export type MappingProblem = Place & {
  readonly at: string;
  readonly verdict: Misfit['verdict'];
  readonly what: string;
  readonly repair: string | null;
};

export type MappingCheck = {
  readonly shape: 'mapping-check/1';
  readonly tenant: string;
  readonly problems: readonly MappingProblem[];
};

export type MappingPorts = { readonly crm: OrgReads };

/**
 * Checks a mapping against the org's present objects and fields, and lists where the two do not fit together. `placeOf`: returns where a
 * setting is written in the mapping file. Throws the CRM's errors.
 */
export async function checkMapping(
  { crm }: MappingPorts,
  { tenant, mapping, imports }: Mapped & { readonly tenant: string },
  placeOf: (at: Misfit['at']) => Place,
): Promise<MappingCheck> {
  const misfits = [
    ...judgeMapping({ mapping, imports }, await schemaFor(crm, mapping)),
    ...(await judgeOffers(crm, mapping)),
    ...(await judgeSharedLeads(crm, mapping)),
  ];
  const problems = misfits.map(({ at, ...rest }) => ({ ...placeOf(at), at: nameOf(at), ...rest }));
  return { shape: 'mapping-check/1', tenant, problems: problems.toSorted(byPlace) };
}

/** The problems of an unreadable mapping file, in the form of a mapping check. */
export function unreadable(tenant: string, problems: readonly Problem[]): MappingCheck {
  return {
    shape: 'mapping-check/1',
    tenant,
    problems: problems.map(({ file, line, message }) => ({
      file,
      line,
      at: '',
      verdict: 'fails',
      what: message,
      repair: null,
    })),
  };
}

function nameOf(at: Misfit['at']): string {
  return at.join('.').replace(/\.(\d+)/g, '[$1]');
}

function byPlace(one: Place, other: Place): number {
  return one.file.localeCompare(other.file) || one.line - other.line;
}
