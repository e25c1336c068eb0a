/** Key of a merchant's row. The id alone is unique, but every query also names the merchant. */
export interface OwnedId {
  merchantId: number
  id: number
}
