// STAND-IN
export const benchLand = async () => []
