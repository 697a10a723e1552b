import type { Compiled } from '../types.ts';
import type { Call, FunctionDef } from './call.ts';
import { DATES } from './dates.ts';
import { LOGIC } from './logic.ts';
import { NUMBERS } from './numbers.ts';
import { TEXT } from './text.ts';

export const FUNCTIONS: Readonly<Record<string, FunctionDef>> = { ...LOGIC, ...TEXT, ...NUMBERS, ...DATES };

/** Compiles a call of a function. Refuses an unknown function. */
export function callFunction(call: Call): Compiled {
  const known = Object.hasOwn(FUNCTIONS, call.name) ? FUNCTIONS[call.name] : undefined;
  return known?.(call) ?? call.fail(`Unknown function ${call.name}. Check spelling`);
}
