import { offlineChecks, onlineChecks } from '../../operator/doctor/checks.ts';
import { type Diagnosis, examine, type Finding } from '../../operator/doctor/finding.ts';
import { doctorPorts, reasonOf } from '../doctor-ports.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';

type Options = { readonly tenant?: string; readonly offline?: true };

/** `lockstep doctor`: what is wrong with this installation, and how it is repaired. */
export const addDoctor = operatorVerb({
  name: 'doctor',
  description: 'check Node, tenant files, ledger, Temporal, Salesforce, vendor and receiver; reads only',
  example: `Example:
  lockstep doctor
  lockstep doctor --offline                 Node, tenant files and sealing key alone
  lockstep doctor --tenant acme --json      for monitoring

Each finding names its repair. Exits with 2 when one fails or warns.`,
  takes: (command) => tenantOption(command).option('--offline', 'ask nobody'),
  run: async (tools, { tenant: name, offline }: Options) => {
    const opened: { close(): Promise<unknown> }[] = [];
    const ports = doctorPorts(tools.context, tools, (part) => void opened.push(part));
    try {
      const first = await examine(offlineChecks(ports), reasonOf);
      if (offline === true || first.findings.some(({ verdict }) => verdict === 'fails')) return first;
      const tenants = ports.tenants().filter(({ tenant }) => name === undefined || tenant === name);
      if (name !== undefined) tools.tenant(name);
      const checks = tenants.flatMap((tenant) => onlineChecks(ports, tenant));
      const { findings, ...rest } = await examine(checks, reasonOf);
      return { ...rest, findings: [...first.findings, ...findings] };
    } finally {
      for (const part of opened.reverse()) await part.close();
    }
  },
  lines: linesOf,
  needsAttention: ({ findings }) =>
    findings.some(({ verdict }) => verdict === 'fails' || verdict === 'warns'),
});

function linesOf({ findings }: Diagnosis): readonly string[] {
  const bad = findings.filter(({ verdict }) => verdict === 'fails' || verdict === 'warns').length;
  return [
    ...findings.flatMap(linesOfOne),
    bad === 0 ? 'Nothing is wrong.' : `${bad} findings need somebody.`,
  ];
}

function linesOfOne({ check, tenant, verdict, what, repair }: Finding): readonly string[] {
  const of = tenant === null ? '' : ` of ${tenant}`;
  return [
    `${verdict.padEnd(7)} ${check}${of}: ${what}`,
    ...(repair === null ? [] : [`        repair: ${repair}`]),
  ];
}
