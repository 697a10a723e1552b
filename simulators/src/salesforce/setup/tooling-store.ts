import { field, flag, idField, text } from '../schema/fields.ts';
import type { SetupEntries } from '../schema/package-setup.ts';
import type { FieldDef, ObjectDef, Schema } from '../schema/types.ts';
import { makeId } from '../store/ids.ts';
import { createStore, type Store } from '../store/store.ts';

const FIXED = { createable: false, updateable: false } as const;

/** The Tooling API's EntityDefinition. Standard objects are identified by their names, others by an id. */
const ENTITY_DEFINITION = object('EntityDefinition', '4ie', [
  text('DurableId', 255, FIXED),
  text('QualifiedApiName', 70, FIXED),
  text('DeveloperName', 40, FIXED),
  text('Label', 255, FIXED),
  text('KeyPrefix', 3, FIXED),
]);

/** The Tooling API's ValidationRule. `Metadata` is stored as JSON text and answered as an object. */
const VALIDATION_RULE = object('ValidationRule', '03d', [
  text('ValidationName', 40, FIXED),
  text('FullName', 255, FIXED),
  flag('Active', FIXED),
  text('Description', 255, FIXED),
  text('ErrorDisplayField', 255, FIXED),
  text('ErrorMessage', 255, FIXED),
  text('NamespacePrefix', 15, FIXED),
  text('EntityDefinitionId', 255, {
    ...FIXED,
    reference: {
      to: 'EntityDefinition',
      others: [],
      parentName: 'EntityDefinition',
      childName: 'ValidationRules',
      cascade: false,
      restrict: false,
    },
  }),
  field('Metadata', 'anyType', FIXED),
]);

/** The store of the Tooling API, apart from the org's rows. Its content does not change while the org runs. */
export function createToolingStore(schema: Schema, setup: SetupEntries, pod: string): Store {
  const store = createStore(toolingSchema(), pod, 0);
  for (const { name, label, keyPrefix } of schema.objects) {
    const names = { QualifiedApiName: name, DeveloperName: name.replace(/__c$/, ''), Label: label };
    store.put('EntityDefinition', { Id: name, DurableId: name, KeyPrefix: keyPrefix, ...names });
  }
  for (const [place, rule] of setup.validationRules.entries()) {
    store.put('ValidationRule', {
      Id: makeId('03d', pod, place + 1),
      ValidationName: rule.name,
      FullName: `${rule.object}.${rule.name}`,
      Active: rule.isActive,
      Description: rule.description,
      ErrorDisplayField: rule.field,
      ErrorMessage: rule.message,
      NamespacePrefix: null,
      EntityDefinitionId: rule.object,
      Metadata: JSON.stringify({
        active: rule.isActive,
        description: rule.description,
        errorConditionFormula: rule.formula,
        errorDisplayField: rule.field,
        errorMessage: rule.message,
        shouldEvaluateOnClient: null,
        urls: null,
      }),
    });
  }
  return store;
}

function toolingSchema(): Schema {
  const objects = [ENTITY_DEFINITION, VALIDATION_RULE];
  return {
    objects,
    countries: [],
    currencies: [],
    outbound: [],
    object: (name) => objects.find((each) => each.name.toLowerCase() === name.toLowerCase()),
    objectOfId: (id) => objects.find(({ keyPrefix }) => id.startsWith(keyPrefix)),
    children: () => [],
  };
}

function object(name: string, keyPrefix: string, fields: readonly FieldDef[]): ObjectDef {
  return {
    ...{ name, label: name, labelPlural: `${name}s`, keyPrefix, custom: false, nameFormat: null },
    ...{ createable: false, updateable: false, deletable: false },
    fields: new Map([idField(), ...fields].map((each) => [each.name.toLowerCase(), each])),
  };
}
