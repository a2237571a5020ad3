import { defined } from "../../json/defined";
import type { WatchStart } from "../../live/watch";
import { projectIn } from "../../resource-names";
import type { SourceMigration } from "../../source";

/** A migration whose hostnames a command has checked, for the title of a report. */
export type CheckedMigration = NonNullable<WatchStart["migrations"]>[number];

/** Returns the names of migrations, with their projects as far as known. */
export function checkedMigrations(migrations: readonly SourceMigration[]): readonly CheckedMigration[] {
  return migrations.map(({ path, certificates, entries, map }) => {
    const ids = [...certificates, ...entries, ...(map === undefined ? [] : [map])].flatMap(({ id }) => id ?? []);
    const project = ids.map(projectIn).find((one) => one !== undefined);
    return { name: path, ...defined({ project }) };
  });
}
