export {
  type RehearsalContext,
  type RehearsalVariant,
  rehearsalContextKey,
  rehearsalHostnames,
  rehearsalNewAddress,
  rehearsalOldAddress,
  rehearsedSpec,
} from "./rehearsed-spec";
