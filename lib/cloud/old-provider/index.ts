export { makeThirdPartyCertificates, type ThirdPartyCertificate, type ThirdPartyRequest } from "./certificates";
export { type OldProvider, type OldProviderOptions, startOldProvider } from "./old-provider";
