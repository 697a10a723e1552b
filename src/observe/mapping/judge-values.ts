import { fromCrmText } from '../../domain/mapping/index.ts';
import { stagesOfTable } from '../../domain/mapping/leads/lead-mapping.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import type { CrmSchema } from '../../domain/record/crm-schema.ts';
import { MAPPABLE } from '../../domain/record/fields.ts';
import { crmFieldOf, directionOf, type MappingConfig, type StageRow } from '../../domain/record/mapping-config.ts';
import {
  CLIENT_FORECASTS,
  FORECASTS,
  forecastCode,
  isSystemForecast,
  readForecast,
} from '../../domain/values/forecast.ts';
import { readReason, unsendableReasons } from '../../domain/values/reasons.ts';
import { STATUS_NAMES, statusCode } from '../../domain/values/status.ts';
import { fieldAt } from './judge-fields.ts';
import type { Misfit } from './problem.ts';

/**
 * Problems of the stage table, which maps the org's stages to the vendor's statuses: where it differs from the org's stages, and where it
 * differs from the vendor's codes.
 */
export function judgeStages(mapping: MappingConfig, schema: CrmSchema): readonly Misfit[] {
  const inOrg = schema['Opportunity']?.fields['StageName']?.values ?? [];
  const stages = stagesOfTable(mapping);
  const without = inOrg.filter((stage) => !stages.some((row) => row.stage === stage));
  const unfollowed = STATUS_NAMES.filter((status) => !stages.some((row) => row.status === status && row.inbound));
  return [
    ...without.map(stageWithoutRow),
    ...stages.flatMap((row, place) => judgeRow(row, place, inOrg)),
    ...stages.flatMap(({ status }, place) => {
      const isFirst = stages.findIndex((row) => row.status === status) === place;
      return isFirst && statusCode(status, mapping) === null ? [statusWithoutCode(status, place)] : [];
    }),
    ...unfollowed.map(statusNotFollowed),
  ];
}

function stageWithoutRow(stage: string): Misfit {
  return {
    at: ['stages'],
    verdict: 'warns',
    what: `the stage ${stage} of the org has no row: a deal that stands in it waits`,
    repair: `add { stage: ${stage}, status: … } with the status that it stands for`,
  };
}

function judgeRow({ stage, inbound }: StageRow, place: number, inOrg: readonly string[]): readonly Misfit[] {
  if (inOrg.length === 0 || inOrg.includes(stage)) return [];
  const moved = inbound ? ', to which the vendor’s status moves deals' : '';
  return [
    {
      at: ['stages', place, 'stage'],
      verdict: inbound ? 'fails' : 'warns',
      what: `the org has no active stage ${stage}${moved}`,
      repair: 'add it to StageName, or give the row the name that the org has',
    },
  ];
}

function statusWithoutCode(status: string, place: number): Misfit {
  return {
    at: ['stages', place, 'status'],
    verdict: 'warns',
    what: `${status} has no code, so deals in its stages wait`,
    repair: `give its code as values.status.${status}, here or in the tenant file`,
  };
}

function statusNotFollowed(status: string): Misfit {
  return {
    at: ['stages'],
    verdict: 'warns',
    what: `no stage follows the vendor’s status ${status}`,
    repair: `add a row with status: ${status}, or leave it: the stage then stays where it is`,
  };
}

/** Problems of values: picklist values that can never be sent to the vendor, and vendor codes that a restricted picklist refuses. */
export function judgeValues(mapping: MappingConfig, schema: CrmSchema): readonly Misfit[] {
  return [
    ...MAPPABLE.flatMap((field) => judgeTable(field, mapping, schema)),
    ...judgeForecasts(mapping, schema),
    ...(['reasonWon', 'reasonLost'] as const).flatMap((field): readonly Misfit[] => {
      const found = fieldAt(crmFieldOf(field, mapping), schema);
      const codes = (found?.values ?? []).map((value) =>
        readReason(field, fromCrmText(value, field, mapping), mapping),
      );
      return unsendableReasons(field, codes, mapping).map((name) => withoutCode(field, name));
    }),
  ];
}

/** Problems of a field's value table: rows whose CRM text is missing in the field's picklist. Fields with transforms are not checked. */
function judgeTable(field: FieldName, mapping: MappingConfig, schema: CrmSchema): readonly Misfit[] {
  const { values: rows = [], transform = [] } = mapping.fields?.[field] ?? {};
  const path = crmFieldOf(field, mapping);
  const found = fieldAt(path, schema);
  if (found === null || found.values.length === 0 || transform.length > 0) return [];
  const isWritten = directionOf(field, mapping) !== 'to-vendor';
  return rows.flatMap(([text, code], place): readonly Misfit[] => {
    if (found.values.includes(text)) return [];
    const isFirst = rows.findIndex(([, other]) => other === code) === place;
    const fails = found.isRestricted && isWritten && isFirst;
    return [
      {
        at: ['fields', field, 'values', text],
        verdict: fails ? 'fails' : 'warns',
        what: `the picklist ${path} has no active value ${text}${fails ? `, which the vendor’s ${code} is written as` : ''}`,
        repair: `add it to the picklist, or name another text for ${code}`,
      },
    ];
  });
}

function withoutCode(field: FieldName, name: string): Misfit {
  return {
    at: ['values', field],
    verdict: 'warns',
    what: `${name} of ${field} has no code, so it is never sent`,
    repair: `give its code as values.${field}.${name}, here or in the tenant file`,
  };
}

/** Problems of forecasts: where the values of the CRM field and the vendor's forecast categories differ (sales spec 2.3). */
function judgeForecasts(mapping: MappingConfig, schema: CrmSchema): readonly Misfit[] {
  const field = 'forecastCategory';
  const path = crmFieldOf(field, mapping);
  const found = fieldAt(path, schema);
  if (found === null) return [];
  const known = new Set(found.values.map((value) => readForecast(fromCrmText(value, field, mapping), mapping)));
  const isWritten = directionOf(field, mapping) !== 'to-vendor';
  const named = Object.keys(FORECASTS).map((name) => forecastCode(name, mapping) ?? name);
  const noCode = CLIENT_FORECASTS.filter((name) => forecastCode(name, mapping) === null && known.has(name));
  const strange = [...known].filter((code) => !named.includes(code) && !isSystemForecast(code, mapping));
  const missing = found.isRestricted && isWritten ? named.filter((code) => !known.has(code)) : [];
  return [
    ...noCode.map((name) => withoutCode(field, name)),
    ...strange.map(
      (code): Misfit => ({
        at: ['fields', field, 'crm'],
        verdict: 'warns',
        what: `${code} of ${path} is no forecast of the vendor’s matrix, so it is never sent`,
        repair: `use ${CLIENT_FORECASTS.join(', ')}`,
      }),
    ),
    ...missing.map(
      (code): Misfit => ({
        at: ['fields', field, 'crm'],
        verdict: 'fails',
        what: `the picklist ${path} is restricted and does not take ${code}, which the vendor shows`,
        repair: `add the value ${code} to ${path}, or let it take others`,
      }),
    ),
  ];
}
