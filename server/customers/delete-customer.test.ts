import { customers } from '../testing/resources/customers.ts'
import { testDelete } from '../testing/resources/delete.ts'
import { openFixture } from '../testing/resources/fixture.ts'

testDelete(await openFixture(customers))
