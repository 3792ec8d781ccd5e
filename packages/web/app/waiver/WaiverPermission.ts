/** The permissions for waivers, whose names are those of operations too. */

export const MAY_REQUEST = "waiver.request"

export const MAY_APPROVE = "waiver.approve"

export const MAY_SET = "waiver.settings"
