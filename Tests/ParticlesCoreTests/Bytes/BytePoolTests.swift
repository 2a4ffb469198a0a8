import ParticlesCore
import Testing

@Suite("Memory that is used again")
struct BytePoolTests {
  @Test("bytes that were given back are lent again, if they are enough")
  func reuse() {
    let pool = BytePool(size: 10)
    var bytes = pool.borrow(3)
    #expect(bytes.count >= 3)
    bytes[0] = 7
    pool.giveBack(bytes)
    #expect(pool.borrow(10)[0] == 7)
    #expect(pool.borrow(10)[0] == 0, "the others are still out")
    pool.giveBack(bytes)
    #expect(pool.borrow(11).count >= 11)
  }

  @Test("whoever still holds bytes keeps what is in them")
  func values() {
    let pool = BytePool(size: 4)
    let mine = pool.borrow(4)
    pool.giveBack(mine)
    var other = pool.borrow(4)
    other[0] = 9
    #expect(mine[0] == 0)
  }
}
