import { failureOf } from '../formula/formula-fields.ts';
import { type Compiled, FormulaRuntimeError } from '../formula/types.ts';
import type { ValidationRuleSource } from '../schema/package-rules.ts';
import type { Schema } from '../schema/types.ts';
import { type ApiError, ApiFailure } from '../store/failure.ts';
import type { SaveContext } from '../store/rule-types.ts';
import type { SaveFormulas } from './save-formulas.ts';

type Rule = ValidationRuleSource & { readonly condition: Compiled };

/** Validation rules by object, each checked once. Rules that cannot be evaluated are left out, with a notice. */
export type ValidationRules = {
  readonly byObject: ReadonlyMap<string, readonly Rule[]>;
  readonly notices: readonly string[];
};

export function compileValidationRules(
  schema: Schema,
  formulas: SaveFormulas,
  sources: readonly ValidationRuleSource[],
): ValidationRules {
  const notices: string[] = [];
  const rules: Rule[] = [];
  for (const source of sources) {
    const object = schema.object(source.object);
    if (object === undefined) continue;
    const reason = failureOf(() => {
      const condition = formulas.compile(object, source.formula);
      rules.push({ ...source, condition });
    });
    if (reason !== undefined) {
      notices.push(`The validation rule ${source.object}.${source.name} is left out: ${reason}.`);
    }
  }
  return { byObject: Map.groupBy(rules, ({ object }) => object), notices };
}

/**
 * Throws the messages of all validation rules whose condition is true (Help: "Validation Rules"; API error code
 * FIELD_CUSTOM_VALIDATION_EXCEPTION).
 */
export function validate({ byObject }: ValidationRules, formulas: SaveFormulas, save: SaveContext): void {
  const rules = byObject.get(save.object.name) ?? [];
  if (rules.length === 0) return;
  const context = formulas.contextOf(save);
  const errors: ApiError[] = [];
  for (const { name, condition, message, field } of rules) {
    const fields = field === null ? [] : [field];
    try {
      if (condition.run(context) === true) errors.push({ errorCode: CODE, message, fields });
    } catch (error) {
      if (!(error instanceof FormulaRuntimeError)) throw error;
      errors.push({
        errorCode: CODE,
        message: `Validation Formula "${name}" Invalid (${error.message})`,
        fields,
      });
    }
  }
  if (errors.length > 0) throw new ApiFailure(400, errors);
}

const CODE = 'FIELD_CUSTOM_VALIDATION_EXCEPTION';
