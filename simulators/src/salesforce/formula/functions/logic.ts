import { negated } from '../operators.ts';
import type { Compiled, Reference } from '../types.ts';
import { areEqual } from '../values.ts';
import { type Call, checkArguments, commonType, type FunctionDef, simple } from './call.ts';

/** Whether a value counts as true. A blank counts as false. */
const holds =
  ({ run }: Compiled) =>
  (context: Parameters<Compiled['run']>[0]) =>
    run(context) === true;

const and: FunctionDef = (call) => {
  checkArguments(call, ['boolean*']);
  const conditions = call.args.map(holds);
  return { type: 'boolean', run: (context) => conditions.every((each) => each(context)) };
};

const or: FunctionDef = (call) => {
  checkArguments(call, ['boolean*']);
  const conditions = call.args.map(holds);
  return { type: 'boolean', run: (context) => conditions.some((each) => each(context)) };
};

const choose: FunctionDef = (call) => {
  checkArguments(call, ['boolean', 'any', 'any']);
  const [condition, yes, no] = call.args as [Compiled, Compiled, Compiled];
  const isMet = holds(condition);
  return {
    type: commonType(call, [yes, no]),
    run: (context) => (isMet(context) ? yes.run(context) : no.run(context)),
  };
};

/** CASE(value, when, then, …, else): the `then` of the first `when` that equals the value, otherwise `else`. Only blank texts equal each other. */
const choice: FunctionDef = (call) => {
  const { args, fail } = call;
  if (args.length < 4 || args.length % 2 !== 0) fail(`Incorrect number of parameters for function 'CASE()'`);
  const [subject] = args as [Compiled];
  const pairs: { when: Compiled; then: Compiled }[] = [];
  for (let i = 1; i + 1 < args.length; i += 2) {
    const [when, then] = [args[i], args[i + 1]];
    if (when === undefined || then === undefined) break;
    const isAlike = when.type === subject.type || when.type === 'null' || subject.type === 'picklist';
    if (!isAlike)
      fail(`Incorrect parameter type for function 'CASE()'. Expected ${subject.type}, received ${when.type}`);
    pairs.push({ when, then });
  }
  const otherwise = args.at(-1) as Compiled;
  return {
    type: commonType(call, [...pairs.map(({ then }) => then), otherwise]),
    run: (context) => {
      const value = subject.run(context);
      const hit = pairs.find(({ when }) => areEqual(subject.type, value, when.run(context)) === true);
      return (hit?.then ?? otherwise).run(context);
    },
  };
};

const blankValue: FunctionDef = (call) => {
  checkArguments(call, ['any', 'any']);
  const [value, substitute] = call.args as [Compiled, Compiled];
  return {
    type: commonType(call, [value, substitute]),
    run: (context) => value.run(context) ?? substitute.run(context),
  };
};

/** The field that an argument names. */
function fieldAt(call: Call, position: number): Reference {
  const node = call.nodes[position];
  if (node?.kind !== 'field') return call.fail(`The function ${call.name}() takes a field`);
  return call.references.resolve(node.name, node.at);
}

/** Whether a save changes a field's value; false for a new row (Help: ISCHANGED). */
const isChanged: FunctionDef = (call) => {
  checkArguments(call, ['any']);
  const field = fieldAt(call, 0);
  return {
    type: 'boolean',
    run: (context) => {
      if (!context.before) return false;
      const [now, before] = [field.run(context), field.prior(context)];
      if (now === null || before === null) return now !== before;
      return areEqual(field.type, now, before) !== true;
    },
  };
};

const priorValue: FunctionDef = (call) => {
  checkArguments(call, ['any']);
  const field = fieldAt(call, 0);
  return { type: field.type, run: (context) => (context.before ? field.prior(context) : field.run(context)) };
};

const isNew: FunctionDef = (call) => {
  checkArguments(call, []);
  return { type: 'boolean', run: ({ before }) => before === null };
};

/** Functions that decide (Help: "Formula Operators and Functions", logical functions). */
export const LOGIC: Readonly<Record<string, FunctionDef>> = {
  AND: and,
  OR: or,
  NOT: simple('boolean', ['boolean'], (value) => negated(value)),
  IF: choose,
  CASE: choice,
  ISBLANK: simple('boolean', ['any'], (value) => value === null, { takesBlank: true }),
  ISNULL: simple('boolean', ['any'], (value) => value === null, { takesBlank: true }),
  BLANKVALUE: blankValue,
  NULLVALUE: blankValue,
  ISNUMBER: simple('boolean', ['text'], (text) => /^\s*[-+]?(\d+\.?\d*|\.\d+)\s*$/.test(String(text ?? '')), {
    takesBlank: true,
  }),
  ISPICKVAL: simple('boolean', ['picklist', 'text'], (value, wanted) => (value ?? '') === (wanted ?? ''), {
    takesBlank: true,
  }),
  INCLUDES: simple('boolean', ['multipicklist', 'text'], (value, wanted) =>
    String(value).split(';').includes(String(wanted)),
  ),
  ISCHANGED: isChanged,
  PRIORVALUE: priorValue,
  ISNEW: isNew,
  ISCLONE: (call) => {
    checkArguments(call, []);
    return { type: 'boolean', run: () => false };
  },
};
