// In a file of its own, because clients name it that load no emulator.

/** Of the bytes of an emulator's state. To be raised with any change of them, or of the emulator's version. */
export const STATE_VERSION = 1
