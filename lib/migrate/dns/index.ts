export { type Answer, createLookUp, type LookUp, type RecordType, withDot } from "./look-up";
