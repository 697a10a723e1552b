import { counted } from '../../domain/values/counted.ts';
import { erasePerson, type PersonErased } from '../../operator/ledger/erase-person.ts';
import { CliError } from '../exit.ts';
import type { OperatorTools } from '../operator-tools.ts';
import { operatorVerb, tenantArgument } from '../operator-verb.ts';
import { privateText } from '../private-text.ts';

type Options = { readonly tenant?: string; readonly file?: string; readonly yes?: boolean };

/** `lockstep erase-person`: erases one person's data from the ledger (Lockstep's database) and from Temporal's histories. */
export const addErasePerson = operatorVerb({
  name: 'erase-person',
  example: `Examples:
  lockstep erase-person acme                          asks for the address and counts the data; changes nothing
  lockstep erase-person acme --file address.txt --yes    erases the data, and counts what is left: nothing

The address is not an argument, because shells store arguments in their history. First remove the person in Salesforce and at
the vendor: data that either side still shows stay, because the sync needs them; they are counted separately, with their
records. Exits with 2 when data would be erased, or are left.`,
  takes: (command) =>
    tenantArgument(command)
      .option('--file <path>', 'the file with the address, which only its owner may read')
      .option('--yes', 'erase the data; without this option the command changes nothing'),
  run: async (tools, name: string | undefined, { tenant: named, file, yes = false }: Options) => {
    const { tenant } = await tools.tenant(name ?? named);
    const email = await givenAddress(file, tools);
    const ports = { ledger: await tools.ledger(), workflows: await tools.tenantWorkflows(), now: tools.now };
    return erasePerson(ports, tenant, email, { yes });
  },
  effect: (name, { tenant, yes = false }) => (yes ? { tenant: { given: name ?? tenant } } : null),
  lines: personLines,
  needsAttention: ({ remaining, live }) => remaining.rows + remaining.histories + Object.keys(live).length > 0,
});

async function givenAddress(file: string | undefined, { context }: OperatorTools): Promise<string> {
  if (file !== undefined) return privateText(file, 'the address');
  const typed = await context.askSecret('The e-mail address, which is not shown as you type it: ');
  if (typed === null) throw new CliError('No address was given: type it on a terminal, or name its file: --file PATH.');
  return typed;
}

/** The numbers of erased and of kept rows and histories, as lines of text. The lines do not contain the person's address. */
export function personLines(answer: PersonErased): readonly string[] {
  const { applied, rows, live, liveKeys, histories, remaining, at } = answer;
  const kept = Object.entries(live);
  return [
    ...Object.entries(rows).map(([table, n]) => `  ${table}: ${counted(n, 'row')}${applied ? ' erased' : ''}`),
    ...kept.map(([table, n]) => `  ${table}: ${counted(n, 'row')} kept, because a side still shows the person`),
    ...(liveKeys.length === 0
      ? []
      : [
          `Remove the person on both sides of ${liveKeys.join(', ')}, run lockstep sync for each, then run this again.`,
        ]),
    `  ${counted(histories.read, 'history', 'histories')} read, ${histories.found} with the address`,
    `${counted(remaining.rows, 'row')} and ${counted(remaining.histories, 'history', 'histories')} left, counted ${at}.`,
    ...(applied ? [] : ['Nothing was done; --yes erases the person.']),
  ];
}
