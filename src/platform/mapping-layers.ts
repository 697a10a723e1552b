import { DEFAULT_STAGES } from '../domain/mapping/index.ts';
import { stagesBesideLeads } from '../domain/mapping/leads/lead-mapping.ts';
import type { MappingConfig } from '../domain/record/mapping-config.ts';
import type { MappingOverrides } from './mapping-file.ts';

/**
 * Applies a mapping file to the mapping that a tenant has without one. Code tables are merged; if both have a code for one name, the code
 * in the mapping file counts. Stages, directions, rules and fields come from the mapping file alone; those that it leaves out have their
 * defaults.
 */
export function withMappingFile(
  mapping: MappingConfig,
  { stages, values, directions, rules, fields }: MappingOverrides,
): MappingConfig {
  const { directions: _, rules: __, fields: ___, ...rest } = mapping;
  const table = stages ?? DEFAULT_STAGES;
  const names = Object.keys(rest.values) as (keyof MappingConfig['values'])[];
  const merged = names.map((name) => [name, { ...rest.values[name], ...values[name] }]);
  return {
    ...rest,
    stages: rest.leads === undefined ? table : stagesBesideLeads(table),
    values: Object.fromEntries(merged) as MappingConfig['values'],
    ...(directions === undefined ? {} : { directions }),
    ...(rules === undefined ? {} : { rules }),
    ...(fields === undefined ? {} : { fields }),
  };
}

/** The stages and code tables of a tenant that has no mapping file. */
export const USUAL_MAPPING: Pick<MappingConfig, 'stages' | 'values'> = {
  stages: DEFAULT_STAGES,
  values: { status: {}, forecastCategory: {}, reasonWon: {}, reasonLost: {}, revenueType: {} },
};
