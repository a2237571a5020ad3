import { type RecordReading, readRecords, renderMessage } from "../../../../lib/audit";

/** @param cut into pieces of so many bytes */
async function readings(text: string, cut = 1_000): Promise<readonly RecordReading[]> {
  const bytes = Buffer.from(text);
  const found: RecordReading[] = [];
  for await (const reading of readRecords(
    (async function* () {
      for (let at = 0; at < bytes.length; at += cut) yield bytes.subarray(at, at + cut);
    })(),
  ))
    found.push(reading);
  return found;
}

const header =
  "name,actor.callerType,actor.email,actor.profileId,DOMAIN_NAME,NEW_VALUE,OLD_VALUE,SETTING_NAME,id.applicationName,id.customerId,id.time,id.uniqueQualifier,ipAddress,type";

const row = (name: string, newValue: string, oldValue = "", setting = "", type = "CALENDAR_SETTINGS") =>
  `${name},USER,admin@example.com,110506652893456789012,example.com,${newValue},${oldValue},${setting},admin,C03az79cb,2026-11-21T10:00:00.000Z,-7312345678901234567,198.51.100.7,${type}`;

function messages(found: readonly RecordReading[]): readonly string[] {
  return found.map((reading) =>
    "activity" in reading ? renderMessage(reading.activity.events[0] as never) : reading.problem.code,
  );
}

test("converts a row to the activity that produced it, with every digit", async () => {
  const [reading] = await readings(`${header}\n${row("CREATE_BUILDING", "b")}\n`);
  expect(reading).toMatchObject({
    line: 2,
    activity: {
      id: {
        time: "2026-11-21T10:00:00.000Z",
        uniqueQualifier: "-7312345678901234567",
        applicationName: "admin",
        customerId: "C03az79cb",
      },
      actor: { email: "admin@example.com", profileId: "110506652893456789012", callerType: "USER" },
      ipAddress: "198.51.100.7",
      events: [{ known: true, parameters: { NEW_VALUE: "b", DOMAIN_NAME: "example.com" } }],
      findings: [],
    },
  });
});

test("reads an empty cell as a parameter that the event does not have", async () => {
  const found = await readings(
    `${header}\n${row("DELETE_BUILDING", "", "old")}\n${row("CHANGE_CALENDAR_SETTING", "on", "off", "SHARING")}\n`,
  );
  expect(messages(found)).toEqual([
    "Building old deleted",
    "SHARING for calendar service in your organization changed from off to on",
  ]);
});

test.each([1, 2, 7, 1_000])(
  "keeps commas, quotes and line breaks in cells if the input is split after %i bytes",
  async (cut) => {
    const cell = '"a, ""b""\r\nand é"';
    const text = `\uFEFF${header}\r\n${row("CREATE_BUILDING", cell)}\r\n\r\n${row("CREATE_BUILDING", "next")}`;
    const found = await readings(text, cut);
    expect(found.map(({ line }) => line)).toEqual([2, 5]);
    const [first] = found;
    const event = first !== undefined && "activity" in first ? first.activity.events[0] : undefined;
    expect(event?.parameters).toMatchObject({ NEW_VALUE: 'a, "b"\nand é' });
  },
);

test("reads quoted columns in another order", async () => {
  const text = `"id.time","type","name","NEW_VALUE"\n"2026-11-21 10:00:00+01:00","CALENDAR_SETTINGS","CREATE_BUILDING","b"\n`;
  const [reading] = await readings(text);
  expect(messages([reading as RecordReading])).toEqual(["Building b created"]);
  expect(reading !== undefined && "activity" in reading && reading.activity.time?.toISOString()).toBe(
    "2026-11-21T09:00:00.000Z",
  );
});

test("converts booleans and numbers to their types", async () => {
  const text = `name,type,id.time,SETTING_NAME,SETTING_ENABLED\nCHANGE_GMAIL_SETTING,EMAIL_SETTINGS,2026-11-21T10:00:00Z,RELAY,True\n`;
  const [reading] = await readings(text);
  expect(reading).toMatchObject({ activity: { events: [{ parameters: { SETTING_ENABLED: true } }] } });
});

test("reports a row with too few cells by its line, and continues", async () => {
  const found = await readings(`${header}\nCREATE_BUILDING,USER\n${row("CREATE_BUILDING", "b")}\n`);
  expect(found.map((reading) => [reading.line, "problem" in reading ? reading.problem.code : "read"])).toEqual([
    [2, "csv-row-malformed"],
    [3, "read"],
  ]);
});

test("reports another table by its missing columns", async () => {
  expect(await readings("emailAddress,CREATE_USER,DELETE_USER\na@example.com,1,2\n")).toEqual([
    {
      line: 1,
      problem: { code: "csv-foreign", message: expect.stringContaining("no column 'name' and no column 'id.time'") },
    },
  ]);
});
