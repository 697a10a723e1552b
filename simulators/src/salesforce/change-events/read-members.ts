import { sourceFiles } from '../schema/source-files.ts';
import { childrenOf, readXml, textAt } from '../schema/xml.ts';

/** A member of a custom channel: the name of a change event, and the fields that the channel adds to each update and deletion. */
export type ChannelMember = { readonly entity: string; readonly enriched: readonly string[] };

export type Members = {
  /** Names of change events, such as `AccountChangeEvent`, of all channels. */
  readonly selected: readonly string[];
  /** The members of custom channels, by the channel's name, such as `Own__chn`. */
  readonly channels: ReadonlyMap<string, readonly ChannelMember[]>;
  /** A sentence for each member of a channel that is not simulated. */
  readonly notUnderstood: readonly string[];
};

/** The objects that folders of source select for channels (Metadata API: PlatformEventChannel, PlatformEventChannelMember). */
export function readMembers(...packageDirs: readonly string[]): Members {
  const files = packageDirs.flatMap(sourceFiles);
  const channels = new Map<string, ChannelMember[]>(
    files.filter(({ kind }) => kind === 'platformEventChannel').map(({ name }) => [name, []]),
  );
  const selected: string[] = [];
  const notUnderstood: string[] = [];
  for (const { name, path } of files.filter(({ kind }) => kind === 'platformEventChannelMember')) {
    const root = readXml(path);
    const channel = textAt(root, 'eventChannel') ?? '';
    const entity = textAt(root, 'selectedEntity') ?? '';
    const enriched = childrenOf(root, 'enrichedFields').flatMap((field) => textAt(field, 'name') ?? []);
    const problem = problemOf(channel, { enriched, filter: textAt(root, 'filterExpression') }, channels);
    if (problem !== null) {
      notUnderstood.push(`The channel member ${name} is left out: ${problem}`);
      continue;
    }
    selected.push(entity);
    channels.get(channel)?.push({ entity, enriched });
  }
  return { selected, channels, notUnderstood };
}

/** Why a member is not simulated; null if it is. */
function problemOf(
  channel: string,
  { enriched, filter }: { readonly enriched: readonly string[]; readonly filter: string | undefined },
  channels: ReadonlyMap<string, unknown>,
): string | null {
  const isStandard = channel === 'ChangeEvents';
  if (!isStandard && !channels.has(channel)) return `there is no channel ${channel}.`;
  if (filter !== undefined) return 'filters are not simulated.';
  return isStandard && enriched.length > 0 ? 'enrichment is only simulated on custom channels.' : null;
}
