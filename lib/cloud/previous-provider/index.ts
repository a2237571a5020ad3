export { makeThirdPartyCertificates } from "./certificates";
export { type OldProvider, type OldProviderOptions, startOldProvider } from "./previous-provider";
