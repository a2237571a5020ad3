import { printableUrl } from "../../lib/http";

test.each([
  ["https://me:pw@host/a?access_token=secret&b=1&key=k#f", "https://***@host/a?access_token=***&b=1&key=***#f"],
  ["https://me:p@ss@host/", "https://***@host/"],
  ["https:me:pw@host/", "https:***@host/"],
  ["https:\\\\me:pw@host/", "https:\\\\***@host/"],
  ["git+https://me:pw@host/", "git+https://***@host/"],
  ["https://host/?client_secret=a&id_token=b,c&api_key=d", "https://host/?client_secret=***&id_token=***&api_key=***"],
  ["https://host/?REFRESH_TOKEN=a%20b", "https://host/?REFRESH_TOKEN=***"],
  ["https://host/mail?to=me@example.com&pageToken=2", "https://host/mail?to=me@example.com&pageToken=2"],
  ["https://host/@me/a", "https://host/@me/a"],
  ["https://host/\u001b[2J", "https://host/\\u{1b}[2J"],
  ["/v1/projects/p", "/v1/projects/p"],
])("prints %s as %s", (url, shown) => {
  expect(printableUrl(url)).toBe(shown);
});
