import type { Command } from 'commander';
import { counted } from '../../domain/values/counted.ts';
import { explainRecord } from '../../operator/explain/explain-record.ts';
import type { ExplainedField, Explanation, SideChange } from '../../operator/explain/explanation.ts';
import { createObserver } from '../../operator/records/observer.ts';
import { chosenField, readFieldName } from '../flags.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { ID_HELP, readId } from '../record-ids.ts';

type Options = { readonly tenant?: string; readonly field?: string; readonly values?: true };

/**
 * `lockstep explain <id>`: shows why a record is in its present sync state, and what the record waits for. An example of a state is
 * `parked`: the record waits until a user or operator acts.
 */
export const addExplain = operatorVerb({
  name: 'explain',
  example: `Example:
  lockstep explain 006Hs00001ABCDEIA5
  lockstep explain LO-00000005 --field description --values

Reads both sides and decides as the record's workflow would, but writes to neither. Only --values shows field values; it
needs the sealing key, and the record's journal notes it. Exits with 2 when the record waits for a person, with 1 when a
side cannot be read.`,
  takes: (command) => withOptions(tenantOption(command)),
  run: async (tools, id: string, options: Options) => {
    const tenant = await tools.tenant(options.tenant);
    const field = options.field === undefined ? null : chosenField(options.field, tenant.mapping);
    const remotes = await tools.readable(options.tenant);
    const ledger = await tools.ledger();
    const ports = {
      observer: createObserver(remotes, ledger, tools.now),
      crm: remotes.crm,
      ledger,
      addresses: tools.addresses(tenant),
      runs: (key: string, at: readonly string[]) => tools.runs(tenant, key, at),
      now: tools.now,
    };
    const order = { id, field, withValues: options.values === true };
    return explainRecord(ports, tenant, order);
  },
  effect: 'reads',
  lines: linesOf,
  needsAttention: ({ gates }) => gates.some(({ needsSomebody }) => needsSomebody),
  hasFailed: ({ notObserved }) => notObserved !== null,
});

function withOptions(command: Command): Command {
  return command
    .argument('<id>', ID_HELP, readId)
    .option('--field <field>', 'only this field, by its name at the vendor or in Salesforce', readFieldName)
    .option('--values', 'show the values of both sides, and the last value on which they agreed');
}

function linesOf(explanation: Explanation): readonly string[] {
  const { crmId, vendorId, formerLeads, state, sentence, linkedBy, linked, next, gates, links } = explanation;
  return [
    `${crmId ?? 'no opportunity'} and ${vendorId ?? 'no vendor record'} (${state}): ${sentence}`,
    ...(formerLeads.length === 0 ? [] : [`  was the lead ${formerLeads.join(', ')}`]),
    ...(linked === null ? [] : [`  linked ${linked.at}: ${linked.words}`]),
    ...(linkedBy === null || linkedBy === 'linked' || linked !== null ? [] : [`  to be linked by: ${linkedBy}`]),
    ...(next === null ? [] : [`  next: ${next.step} (${next.reason})`]),
    ...gates.flatMap(({ gate, field, code, what, opens, said }) => [
      `  ${field === null ? 'held up' : `${field} is held up`} (${gate}, ${code}): ${what}`,
      ...(said === undefined ? [] : [`    ${said}`]),
      `    goes on: ${opens}`,
    ]),
    ...fieldLines(explanation.fields),
    ...Object.entries(links).flatMap(([where, link]) => (link === null ? [] : [`  ${where}: ${link}`])),
  ];
}

function fieldLines(fields: readonly ExplainedField[]): readonly string[] {
  const isWhole = fields.length === 1 || fields.some(({ values }) => values !== undefined);
  const explanation = fields.filter((field) => isWhole || !isQuiet(field));
  const quiet = fields.length - explanation.length;
  return [
    ...explanation.flatMap(linesOfField),
    ...(quiet === 0 ? [] : [`  ${counted(quiet, 'field')} without a change`]),
  ];
}

function isQuiet({ verdict, crm, vendor }: ExplainedField): boolean {
  return (verdict === 'unchanged' || verdict === null) && crm.changed !== true && vendor.changed !== true;
}

function linesOfField(field: ExplainedField): readonly string[] {
  const { crmField, direction, conflictRule, verdict, decidedBy, lastDecision, lastWrite, values } = field;
  const changes = [changeLine('Salesforce', field.crm), changeLine('the vendor', field.vendor)].flat();
  return [
    `  ${field.field} (${crmField}, ${direction}, ${conflictRule}): ${verdict ?? 'not decided'}${decidedBy === null ? '' : `, ${decidedBy}`}`,
    ...changes.map((line) => `    ${line}`),
    ...(lastDecision === null
      ? []
      : [`    decided last at ${lastDecision.at}: ${lastDecision.verdict}, ${lastDecision.rule}`]),
    ...(lastWrite === null
      ? []
      : [`    written last at ${lastWrite.at}: ${lastWrite.step}, answered ${lastWrite.answer}`]),
    ...(values === undefined
      ? []
      : [
          `    Salesforce: ${shown(values.crm)}; agreed ${shown(values.base.crm)}`,
          `    the vendor: ${shown(values.vendor)}; agreed ${shown(values.base.vendor)}`,
        ]),
  ];
}

function changeLine(side: string, { changed, after, until, by }: SideChange): readonly string[] {
  if (changed !== true) return [];
  const when =
    after === until
      ? `at ${until ?? 'an unknown time'}`
      : `after ${after ?? 'an unknown time'} and no later than ${until ?? 'now'}`;
  return [`changed in ${side} ${when}${by === null ? '' : `, by ${by}`}`];
}

function shown(value: unknown): string {
  return value === undefined ? 'not shown' : JSON.stringify(value);
}
