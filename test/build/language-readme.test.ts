import { languageReadme } from "../../build/language-readme";

test.each([
  ["python", "Python", "```python\nself.migration = ManagedCertMigration("],
  ["java", "Java", "```java\nManagedCertMigration migration ="],
  ["go", "Go", "```go\nmigration := cert.NewManagedCertMigration("],
  ["dotnet", "C#", "```csharp\nvar migration = new ManagedCertMigration("],
])(
  "the README for %s has the example in %s, and the version of Node that every language needs",
  (language, title, example) => {
    const [heading = ""] = languageReadme(language).split("\n");
    expect(heading).toBe(`# Constructs for certificate migrations to Google Cloud load balancers, in ${title}`);
    expect(languageReadme(language)).toContain(example);
    expect(languageReadme(language)).toContain("\n- Node 22.11 or later on every machine that synthesizes or applies");
  },
);

test("has no README for a language without an example", () => {
  expect(() => languageReadme("ruby")).toThrow("no README for ruby; add it to build/language-readme.ts");
});
