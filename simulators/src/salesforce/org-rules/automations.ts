import { fieldValue } from '../formula/formula-fields.ts';
import { type Compiled, FormulaError } from '../formula/types.ts';
import type { FieldDef, Schema } from '../schema/types.ts';
import type { SaveContext } from '../store/rule-types.ts';
import type { SaveFormulas } from './save-formulas.ts';

/** A before-save automation as the admin surface gives it: formulas that rewrite fields of what is being saved. */
export type AutomationSource = {
  readonly object: string;
  readonly on: 'create' | 'update' | 'both';
  /** The formula that decides whether the automation runs. Without a formula, it always runs. */
  readonly when?: string;
  /** The formulas that give the fields their values, by field. */
  readonly set: Readonly<Record<string, string>>;
};

type Automation = {
  readonly source: AutomationSource;
  readonly when: Compiled | null;
  readonly set: readonly { readonly field: FieldDef; readonly value: Compiled }[];
};

/** The before-save automations of an org, in the order they were added. */
export interface Automations {
  list(): readonly AutomationSource[];
  /** Throws FormulaError for an object, a field or a formula that is not understood. */
  add(source: AutomationSource): void;
  clear(): void;
  apply(save: SaveContext): void;
}

export function createAutomations(schema: Schema, formulas: SaveFormulas): Automations {
  let automations: readonly Automation[] = [];
  return {
    list: () => automations.map(({ source }) => source),
    add: (source) => {
      automations = [...automations, compile(schema, formulas, source)];
    },
    clear: () => {
      automations = [];
    },
    apply: (save) => {
      for (const { source, when, set } of automations) {
        if (!concerns(source, save)) continue;
        const context = formulas.contextOf(save);
        if (when !== null && when.run(context) !== true) continue;
        for (const { field, value } of set) {
          save.draft[field.name] = fieldValue(field, value.run(context));
          save.given.add(field.name);
        }
      }
    },
  };
}

function concerns({ object, on }: AutomationSource, save: SaveContext): boolean {
  const event = save.before === null ? 'create' : 'update';
  return object === save.object.name && (on === 'both' || on === event);
}

function compile(schema: Schema, formulas: SaveFormulas, source: AutomationSource): Automation {
  const object = schema.object(source.object);
  if (object === undefined) throw new FormulaError(`There is no object ${source.object}`, 0);
  const set = Object.entries(source.set).map(([name, text]) => {
    const field = object.fields.get(name.toLowerCase());
    if (field === undefined || field.calculated) throw new FormulaError(`${name} cannot be set`, 0);
    return { field, value: formulas.compile(object, text) };
  });
  const when = source.when === undefined ? null : formulas.compile(object, source.when);
  return { source: { ...source, object: object.name }, when, set };
}
