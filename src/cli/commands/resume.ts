import { resumeTenant } from '../../operator/resume-tenant.ts';
import { operatorVerb } from '../operator-verb.ts';

/** `lockstep resume <tenant>`: lets a tenant go on that paused because too many of its records would leave. */
export const addResume = operatorVerb({
  name: 'resume',
  description: 'let a tenant go on that paused because too many records would be detached',
  example: `Example:
  lockstep resume acme

Look first: lockstep status says how many records would be detached. Until the guard's window (guards.window of the
tenant file) has passed once more, as many as there are may leave. What waited is taken up within minutes. A pause
because of a refused key or sign-in is none of this command's: it ends by itself.`,
  takes: (command) => command.argument('<tenant>', 'the name of the tenant'),
  run: async (tools, name: string) => {
    const tenant = tools.tenant(name);
    return resumeTenant(await tools.ledger(), tenant, tools.now());
  },
  lines: ({ tenant, resumed, allowedUntil }) => [
    resumed
      ? `${tenant} goes on; until ${allowedUntil} any number of its records may leave.`
      : `${tenant} is not paused.`,
  ],
});
