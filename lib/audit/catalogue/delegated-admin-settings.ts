import type { EventTable } from "./event-table";

/**
 * Events of the type `DELEGATED_ADMIN_SETTINGS`. Specification 2 shows only their messages. The placeholders of a
 * message are its parameters; the other parameters were observed in published records.
 */
export const delegatedAdminSettings = {
  ASSIGN_ROLE: {
    parameters: ["ROLE_NAME", "USER_EMAIL"],
    observed: ["ORG_UNIT_NAME"],
    message: "Role {ROLE_NAME} assigned to user {USER_EMAIL}",
  },
  CREATE_ROLE: {
    parameters: ["ROLE_NAME"],
    observed: ["ROLE_ID"],
    message: "New role {ROLE_NAME} created",
  },
  DELETE_ROLE: {
    parameters: ["ROLE_NAME"],
    observed: ["ROLE_ID"],
    message: "Role {ROLE_NAME} deleted",
  },
  ADD_PRIVILEGE: {
    parameters: ["PRIVILEGE_NAME", "ROLE_NAME"],
    observed: ["ROLE_ID"],
    message: "New privilege {PRIVILEGE_NAME} created under role {ROLE_NAME}",
  },
  REMOVE_PRIVILEGE: {
    parameters: ["PRIVILEGE_NAME", "ROLE_NAME"],
    observed: ["ROLE_ID"],
    message: "Privilege {PRIVILEGE_NAME} removed from role {ROLE_NAME}",
  },
  RENAME_ROLE: {
    parameters: ["NEW_VALUE", "ROLE_NAME"],
    message: "Role renamed from {ROLE_NAME} to {NEW_VALUE}",
  },
  UPDATE_ROLE: {
    parameters: ["ROLE_NAME"],
    observed: ["ROLE_ID"],
    message: "Role {ROLE_NAME} updated",
  },
  UNASSIGN_ROLE: {
    parameters: ["ROLE_NAME", "USER_EMAIL"],
    observed: ["ORG_UNIT_NAME"],
    message: "Unassigned role {ROLE_NAME} from user {USER_EMAIL}",
  },
} as const satisfies EventTable;
