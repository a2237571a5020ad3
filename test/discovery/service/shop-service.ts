import {
  createDescriptionService,
  type DescriptionAnswer,
  type DescriptionDocument,
  type DescriptionServiceOptions,
  type DirectoryList,
} from "../../../lib/discovery";
import { sampleDescription } from "./samples";

export const shop = sampleDescription("shop:v1", {
  icons: { x16: "https://shop.example.com/16.png" },
  documentationLink: "https://shop.example.com/docs",
  labels: ["limited_availability"],
});
export const some = [
  sampleDescription("shop:v2"),
  shop,
  sampleDescription("shop:v3beta1"),
  sampleDescription("bank:v1"),
];

export const host = { host: "apis.test:8080" };
export const rest = (name: string, version: string) => `/discovery/v1/apis/${name}/${version}/rest`;

export function service(options: Partial<DescriptionServiceOptions> = {}) {
  const { answer } = createDescriptionService({ descriptions: some, ...options });
  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    answer({ method: "GET", url, headers: { ...host, ...headers } });
  return { answer, get };
}

export const listOf = ({ body }: DescriptionAnswer) => JSON.parse(body) as DirectoryList;
export const documentOf = ({ body }: DescriptionAnswer) => JSON.parse(body) as DescriptionDocument;
export const errorIn = ({ status, body }: DescriptionAnswer) => {
  const { error } = JSON.parse(body);
  expect(error.code).toBe(status);
  return { status, word: error.status, reasons: error.errors.map(({ reason }: { reason: string }) => reason) };
};
