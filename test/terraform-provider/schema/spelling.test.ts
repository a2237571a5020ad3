import { bindingsAt, resourceSchema, type SchemaBlock } from "../../../lib/terraform-provider/schema";
import { installSmallBindings } from "../../support/small-bindings";

/** Source of the members of a class, one for each kind of value. */
const membersOf = (kit: string) => `  // codes - computed: true, optional: false, required: false
  private _codes = new ${kit}.NumberMap(this, "codes");
  public get codes() {
    return this._codes;
  }

  // deletion_policy - computed: true, optional: true, required: false
  private _deletionPolicy?: string; 
  public get deletionPolicy() {
    return this.getStringAttribute('deletion_policy');
  }

  // details - computed: true, optional: false, required: false
  private _details = new ${kit}.StringMapList(this, "details", false);
  public get details() {
    return this._details;
  }

  // flags - computed: true, optional: false, required: false
  private _flags = new ${kit}.BooleanMapList(this, "flags", true);
  public get flags() {
    return this._flags;
  }

  // key_wo - computed: false, optional: true, required: false
  private _keyWo?: string; 
  public get keyWo() {
    return this.getStringAttribute('key_wo');
  }

  // pin - computed: false, optional: true, required: false
  private _pin?: string; 
  /**
  * @deprecated Write-only: the provider never returns this value.
  */
  public get pin() {
    return this.getStringAttribute('pin');
  }

  // told_wo - computed: true, optional: false, required: false
  public get toldWo() {
    return this.getStringAttribute('told_wo');
  }

  // settings - computed: false, optional: true, required: false
  private _settings = new SmallAlarmSettingsOutputReference(this, "settings");
  public get settings() {
    return this._settings;
  }`;

/** Source of a resource type as the generator writes it, without what the derivation does not read. */
const alarmOf = (kit: string) => `
export interface SmallAlarmConfig extends ${kit}.TerraformMetaArguments {
  /**
  * settings block
  */
  readonly settings?: SmallAlarmSettings;
}
export class SmallAlarm extends ${kit}.TerraformResource {
  public static readonly tfResourceType = "google_small_alarm";

${membersOf(kit)}

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      deletion_policy: {
        value: ${kit}.stringToHclTerraform(this._deletionPolicy),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      settings: {
        value: smallAlarmSettingsToHclTerraform(this._settings.internalValue),
        isBlock: true,
        type: "list",
        storageClassType: "SmallAlarmSettingsList",
      },
    };
  }
}
`;

/** A block whose levels contain each other, as the generator writes such a block of the provider. */
const settingsOf = (kit: string) => `
export interface SmallAlarmSettings {
  readonly volume: number;
  /**
  * inner block
  */
  readonly inner?: SmallAlarmSettingsInner;
}
export class SmallAlarmSettingsOutputReference extends ${kit}.ComplexObject {
  // volume - computed: false, optional: false, required: true
  private _volume?: number; 
  public get volume() {
    return this.getNumberAttribute('volume');
  }

  // inner - computed: false, optional: true, required: false
  private _inner = new SmallAlarmSettingsInnerOutputReference(this, "inner");
  public get inner() {
    return this._inner;
  }
}
export interface SmallAlarmSettingsInner {
  readonly name?: string;
  /**
  * settings block
  */
  readonly settings?: SmallAlarmSettings;
}
export class SmallAlarmSettingsInnerOutputReference extends ${kit}.ComplexObject {
  // name - computed: false, optional: true, required: false
  private _name?: string; 
  public get name() {
    return this.getStringAttribute('name');
  }

  // settings - computed: false, optional: true, required: false
  private _settings = new SmallAlarmSettingsOutputReference(this, "settings");
  public get settings() {
    return this._settings;
  }
}
`;

const kits = [
  ["cdktf", "@cdktf/provider-google"],
  ["cdktn", "@cdktn/provider-google"],
] as const;

/** Derives the type, with its blocks in files of their own, as in large types, or with everything in one file. */
function derive(kit: string, packageName: string, isSplit: boolean): SchemaBlock {
  const [alarm, settings] = [alarmOf(kit), settingsOf(kit)];
  const sources = isSplit
    ? {
        "small-alarm/index": alarm,
        "small-alarm/index-structs/structs0": settings.slice(
          0,
          settings.indexOf("export interface SmallAlarmSettingsInner"),
        ),
        "small-alarm/index-structs/structs400": settings.slice(
          settings.indexOf("export interface SmallAlarmSettingsInner"),
        ),
        "small-alarm/index-structs/index": "export * from './structs0';",
      }
    : { "small-alarm/index": `${alarm}${settings}` };
  using bindings = installSmallBindings([{ packageName, providerVersion: "8.7.0", sources }]);
  const block = resourceSchema(bindingsAt(bindings.root(packageName)), "google_small_alarm");
  if (block === undefined) throw new Error("there is no google_small_alarm");
  return block;
}

describe.each(kits)("bindings for %s", (kit, packageName) => {
  const block = derive(kit, packageName, false);

  test.each([
    ["codes", ["map", "number"]],
    ["deletion_policy", "string"],
    ["details", ["list", ["map", "string"]]],
    ["flags", ["set", ["map", "bool"]]],
  ])("derive the type of the attribute %s", (name, type) => {
    expect(block.attributes.get(name)?.type).toEqual(type);
  });

  test("mark an attribute as write-only by its flag or its name, unless the provider computes it", () => {
    const writeOnly = [...block.attributes].filter(([, attribute]) => attribute.writeOnly).map(([name]) => name);

    expect(writeOnly).toEqual(["key_wo", "pin"]);
  });

  test("end a block that contains itself after two more levels", () => {
    const depthOf = (outer: SchemaBlock | undefined): number => {
      const inner = outer?.blocks.get("settings")?.block ?? outer?.blocks.get("inner")?.block;
      return inner === undefined ? 0 : 1 + depthOf(inner);
    };

    // Each of three levels of `settings` has its `inner`; the block that would open a fourth is left out.
    expect(depthOf(block)).toBe(6);
  });

  test("give the same schema to a type whose blocks are in separate files", () => {
    expect(derive(kit, packageName, true)).toEqual(block);
  });
});

test("fail if a class is missing", () => {
  using bindings = installSmallBindings([
    {
      packageName: "@cdktn/provider-google",
      providerVersion: "8.7.0",
      sources: { "small-alarm/index": alarmOf("cdktn") },
    },
  ]);
  const opened = bindingsAt(bindings.root("@cdktn/provider-google"));

  expect(() => resourceSchema(opened, "google_small_alarm")).toThrow("the bindings have no SmallAlarmSettings");
});
